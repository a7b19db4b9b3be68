/** A program of the person that hears of tool calls, and may block them. */
export interface Hook {
  /** A command line, run by the shell in the session's folder. */
  readonly command: string;
  /** The tools that it hears of, by name, `*` for any part: `edit_file`, `mcp__github__*`. Default: all. */
  readonly tools?: readonly string[];
  /** How long it may take. Default: 60 s. */
  readonly timeoutMs?: number;
}

export interface Hooks {
  /** Run before a tool: exit code 2 blocks the call. */
  readonly beforeTool?: readonly Hook[];
  /** Run after a tool: exit code 2 tells the model something about what came of it. */
  readonly afterTool?: readonly Hook[];
}

export type HookEvent = keyof Hooks;

/** What a hook is told, as JSON on its standard input. */
export interface HookInput {
  readonly event: HookEvent;
  readonly sessionId: string;
  readonly cwd: string;
  readonly tool: string;
  readonly kind: string;
  readonly title: string;
  readonly input: unknown;
  /** What the model reads of it; after the tool. */
  readonly output?: string;
  readonly isError?: boolean;
}
