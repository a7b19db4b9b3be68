import type { Transport } from '@parley/jsonrpc';
import type { ContextUsage, TurnResult } from '@parley/session';
import { connect } from './connect/connect.ts';
import type { ConnectOptions } from './connect/connect-options.ts';
import type { Meta } from './peer/agent-peer.ts';
import { applySettings, type SessionSettings } from './session/apply-settings.ts';
import type { SessionOptions } from './session/session.ts';
import type { AgentSource } from './source/agent-source.ts';
import type { PromptContent } from './turn/prompt-content.ts';
import type { TurnEvent } from './turn/turn-event.ts';

export interface RunOptions extends ConnectOptions, SessionOptions, SessionSettings {
  /** `_meta` of `initialize` and of the request that opens the session. */
  readonly meta?: Meta;
  readonly prompt: PromptContent;
  /** Sees each event as it comes. */
  readonly onEvent?: (event: TurnEvent) => void;
}

export interface RunResult extends TurnResult {
  readonly sessionId: string;
  /** How full the agent's context is, and what the session has cost, where the agent tells. */
  readonly context?: ContextUsage;
}

/** One prompt from beginning to end: connects, opens a session, prompts, and leaves nothing behind. */
export async function run(agent: AgentSource | Transport, options: RunOptions): Promise<RunResult> {
  const { prompt, onEvent, signal } = options;
  await using connection = await connect(agent, options);
  const session = await connection.newSession(options);
  await applySettings(session, options);
  const turn = session.prompt(prompt, signal ? { signal } : {});
  if (onEvent) for await (const event of turn) onEvent(event);
  const result = await turn.result;
  const { usage } = session.transcript;
  return { ...result, sessionId: session.id, ...(usage && { context: usage }) };
}
