import type { AgentSource, ConnectOptions } from '@parley/client';

/** An agent that ours can call as a tool, and how far it may go. */
export interface CalledAgent {
  /**
   * How it is reached. A function gets variables for its process: they tell it how many agents have called each other to get
   * there.
   */
  readonly source: AgentSource | ((env: Readonly<Record<string, string>>) => AgentSource | Promise<AgentSource>);
  /** What it is good for; the model reads it. */
  readonly description?: string;
  /** The mode and the model of its sessions, where it offers them. */
  readonly mode?: string;
  readonly model?: string;
  /** How many tools it may call before it is stopped. Default: 200. */
  readonly maxToolCalls?: number;
  /** How long one call may take, without the time in which a person is asked. Default: 30 minutes. */
  readonly maxDurationMs?: number;
  /**
   * How it is spoken to, and what it gets of this machine. Default: files of the session's directories and, unless it is on the
   * network, terminals, both under the rules of the session.
   */
  readonly connect?: Pick<
    ConnectOptions,
    'auth' | 'dialect' | 'protocol' | 'deadlines' | 'reconnect' | 'workspace' | 'terminals' | 'onDiagnostic'
  >;
}

/** Agents by the names under which the model calls them. */
export type CalledAgents = Readonly<Record<string, AgentSource | CalledAgent>>;

export const DEFAULT_MAX_TOOL_CALLS: number = 200;
export const DEFAULT_MAX_DURATION_MS: number = 30 * 60_000;

export function toCalledAgent(agent: AgentSource | CalledAgent): CalledAgent {
  return 'source' in agent ? agent : { source: agent };
}
