import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { FolderEntry, Shell } from '@parley/policy';
import type { ReportDiagnostic } from '../diagnostics.ts';
import type { AgentEnd } from '../errors.ts';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';

/** Somewhere an agent can be reached, as often as need be. `spawnAgent` of `@parley/client/node` makes one. */
export interface AgentSource {
  /** As a person would write it: a command line or an address. Appears in errors. */
  readonly name: string;
  /**
   * Starts the agent, or dials it. Must leave nothing behind when it fails or when `signal` aborts. `report` takes what happens around
   * the agent as long as it runs.
   */
  open(signal: AbortSignal, report?: ReportDiagnostic): Promise<AgentWire>;
  /** What this platform can do for the agent. */
  readonly host?: Host;
  /** How a lost link is opened again. Default: as a program is started again, five times within some 8 s. */
  readonly redial?: Redial;
  /**
   * False where only answers come back, and nothing that the agent says of itself: in version 2 the end of a turn would not be heard.
   * Default: true.
   */
  readonly carriesUpdates?: boolean;
  /** Runs one of the agent's terminal authentication methods; true when it succeeded. */
  authenticateInTerminal?(method: TerminalLogin, signal: AbortSignal): Promise<boolean>;
}

/** How an agent that is lost is dialled again: at once, then after pauses of any length up to a bound that doubles. */
export interface Redial {
  /** The bound of the first pause. */
  readonly firstPauseMs: number;
  /** The bound that is not passed. */
  readonly maxPauseMs: number;
  /** How long it is tried. */
  readonly giveUpAfterMs: number;
  /** Whether no further dial can help, since the agent has refused us and will do so again. */
  isFinal(error: unknown): boolean;
}

/** One open wire to an agent. */
export interface AgentWire {
  readonly transport: Transport;
  /** The address or the path of the agent, where it shows a dialect: `/acp/sse`. */
  readonly endpoint?: string;
  /** Whether more than answers comes back, as far as the server has shown it. Default: it does. */
  readonly carriesUpdates?: () => boolean;
  /** How the agent is doing, for errors and progress lines. */
  inspect?(): AgentEnd;
  /** Hears what the agent writes to stderr, and what is on the wire that is no message. Returns what ends it. */
  watch?(listener: (kind: 'stderr' | 'noise', text: string) => void): () => void;
}

export interface TerminalLogin {
  readonly id: string;
  /** Another program than the agent itself. */
  readonly command?: string;
  /** Come after the agent's own arguments, unless `command` is another program. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The files and processes of a platform; plain options for files and terminals need one. */
export interface Host {
  createWorkspace(options: WorkspaceOptions): Workspace;
  createTerminals(options: TerminalHostOptions): TerminalHost;
  /** The person's home directory. */
  readonly home?: string;
  /** Follows the symlinks of an absolute path, as far as it exists. */
  realPath?(path: string): string;
  /** What is in a folder, at most `limit` entries; nothing when there is no such folder. */
  listFolder?(path: string, limit: number): readonly FolderEntry[] | undefined;
  /** The shell that runs an agent's command lines, where that is known. */
  readonly shell?: Shell;
}

/** A transport that is already open, as a source that can be opened once. */
export function sourceOf(transport: Transport): AgentSource & { readonly isOnce: true } {
  let isOpen = false;
  return {
    name: 'the agent',
    isOnce: true,
    async open() {
      if (isOpen) throw new Error('This transport has been used; open a new one to connect again.');
      isOpen = true;
      return { transport };
    },
  };
}

export function isSource(value: Transport | AgentSource): value is AgentSource {
  return 'open' in value;
}

/** What the transport says of the agent's end, joined with what the source knows. */
export function describeEnd(wire: AgentWire | undefined, reason?: CloseReason): AgentEnd {
  const error = reason?.error as (Error & AgentEnd) | undefined;
  const known = wire?.inspect?.() ?? {};
  return {
    ...known,
    ...(error?.exitCode !== undefined && { exitCode: error.exitCode }),
    ...(error?.signal !== undefined && { signal: error.signal }),
    ...(error?.stderrTail !== undefined && { stderrTail: error.stderrTail }),
  };
}
