/** Runs commands for the agent: the platform side of `terminal/*`. */
export interface TerminalHost {
  /** Starts a command and returns at once. */
  create(request: TerminalRequest): Promise<HostedTerminal>;
}

export interface TerminalRequest {
  readonly sessionId: string;
  /** Run as it is, without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment that the host allows. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** How much of the output is kept; the beginning goes first. */
  readonly outputByteLimit: number;
  /** Hears each piece of output as it comes. */
  readonly onOutput: (text: string) => void;
}

/** One command that runs or has run. */
export interface HostedTerminal {
  /** What it has written so far; with how it ended, where `exit` does not tell. */
  readOutput(): TerminalText | Promise<TerminalText>;
  /** Undefined while it runs. */
  readonly exit: TerminalExit | undefined;
  /** Resolves when it has ended, and rejects only where nobody can tell any more. */
  readonly exited: Promise<TerminalExit>;
  /** Ends it with everything it has started. The output stays readable. */
  kill(): Promise<void>;
  /** Ends it if it still runs, and frees what it holds. */
  release(): Promise<void>;
}

export interface TerminalText {
  readonly output: string;
  readonly isTruncated: boolean;
  readonly exit?: TerminalExit;
}

export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A command that the agent asks for. */
export interface TerminalCreation {
  readonly sessionId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly outputByteLimit?: number;
}

/** The output of a terminal as the agent reads it. */
export interface TerminalOutput {
  readonly output: string;
  readonly isTruncated: boolean;
  readonly exit: TerminalExit | undefined;
}

export interface TerminalHostOptions {
  /**
   * Variables of our own environment that commands may see, besides harmless ones such as PATH, HOME and LANG;
   * `inherit` for all of them, keys and tokens included. Default: none.
   */
  readonly env?: readonly string[] | 'inherit';
  /** How many terminals one session may have at a time. Default: 32. */
  readonly maxTerminals?: number;
  /** How much output is kept where the agent sets no limit, and at most where it does. Default: 1 MiB. */
  readonly maxOutputBytes?: number;
  /** How long a command may take to end after SIGTERM, before SIGKILL. Default: 2 s. */
  readonly killGraceMs?: number;
}

export const DEFAULT_MAX_TERMINALS: number = 32;
export const DEFAULT_MAX_OUTPUT_BYTES: number = 1024 * 1024;
