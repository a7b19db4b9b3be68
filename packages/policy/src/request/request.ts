import type { ToolKind } from '@parley/protocol';
import type { SafetyHints, SafetyLevel } from './safety.ts';

/** One use of a tool that somebody wants permission for. */
export interface ToolRequest {
  /** The tool's name, or "" where the agent does not tell it. */
  readonly tool: string;
  readonly kind?: ToolKind;
  /** For a tool that runs commands. */
  readonly command?: CommandInput;
  /** For a tool that works on files: every file it names. */
  readonly paths?: readonly string[];
  /** What it carries besides what it says it is: a "read" with a new text for a file is an edit. */
  readonly carries?: readonly ToolKind[];
  /** Why it cannot be told what it is about; then it is asked about. */
  readonly isUnclear?: string;
  /** For a tool that fetches. */
  readonly url?: string;
  /** Where it runs, when that is not the workspace's folder. */
  readonly cwd?: string;
  /** For people. */
  readonly title?: string;
  /** Stated by our own tool. A foreign agent's claim is shown in `claimedLevel` and decides nothing. */
  readonly level?: SafetyLevel;
  readonly claimedLevel?: SafetyLevel;
  readonly hints?: SafetyHints;
  /** Our own search tools leave denied files out by themselves. */
  readonly skipsDenied?: boolean;
  /** What else the tool was given, to tell one use from another. */
  readonly input?: unknown;
}

/** What is to be run: a line for a shell, a program with its arguments, or something that could not be made out. */
export type CommandInput =
  | { readonly type: 'line'; readonly line: string; readonly environment?: Readonly<Record<string, string>> }
  | {
      readonly type: 'arguments';
      readonly words: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'unclear'; readonly because: string; readonly text: string };
