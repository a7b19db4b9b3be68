import type { SafetyLevel } from '@parley/policy';
import type { ContentBlock, Diff, ToolCallLocation, ToolKind } from '@parley/protocol';
import type { Ask } from '../operations/ask.ts';
import type { Operations } from '../operations/operations.ts';

/** A capability of our agent, as data plus one function. A new tool is a file with one of these and a line in the list. */
export interface Tool<Args = unknown> {
  /** As the model and permission rules know it: `read_file`. */
  readonly name: string;
  readonly kind: ToolKind;
  /** How much harm it can do: 1 reads, 2 is easily undone, 3 has high impact, 4 cannot be undone. */
  readonly level: SafetyLevel;
  /** It heeds its signal while it runs, so that the person can end this one call and the turn goes on. */
  readonly isCancellable?: boolean;
  /** Its calls in one answer run side by side, as those of reading tools do. */
  readonly runsBeside?: boolean;
  /** It touches only what the session has started itself, so nobody is asked. */
  readonly needsNoPermission?: boolean;
  /** It is shown by what it does to the conversation, not as a tool call. */
  readonly isQuiet?: boolean;
  /** What the model reads: when to use it, and how. */
  readonly description: string;
  /** JSON Schema of the arguments; always of type object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The model's arguments as `Args`; throws `ToolInputError`, whose text tells the model what to send instead. */
  parse(input: Readonly<Record<string, unknown>>): Args;
  /** What this use of the tool is about to do, for the person: an honest title, the files, how to undo it. */
  describe(args: Args, context: DescribeContext): ToolDescription;
  /** Works out what the call would do, so that the person is asked about exactly that, and never about what cannot work. */
  preview?(context: ToolContext<Args>): Promise<ToolPreview>;
  /** A failure is a result with `isError`, for the model to read; only an abort may throw. */
  run(context: ToolContext<Args>): Promise<ToolOutcome>;
}

export interface DescribeContext {
  readonly cwd: string;
}

export interface ToolDescription {
  readonly title: string;
  /** What the person should read before it runs. */
  readonly text?: string;
  readonly locations?: readonly ToolCallLocation[];
  /** What a permission rule is matched against, where it is more than the tool's name: a command line, a path, a URL. */
  readonly subject?: ToolSubject;
  /** How the person can take it back: "git checkout -- src/a.ts". */
  readonly undo?: string;
}

export type ToolSubject =
  | { readonly type: 'command'; readonly command: string; readonly cwd: string }
  | { readonly type: 'paths'; readonly paths: readonly string[] }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'agent'; readonly name: string };

export type ToolPreview = { readonly diff?: Diff } | { readonly failure: ToolOutcome };

/** What a tool gets: its arguments, and everything it may touch the world with. */
export interface ToolContext<Args> {
  readonly args: Args;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly operations: Operations;
  readonly signal: AbortSignal;
  /** The call as the person sees it; undefined where it is not shown as one. */
  readonly callId: string | undefined;
  /** Shows what happens while it happens: output so far, a terminal, a diff before it is applied. */
  readonly show: (progress: ToolProgress) => void;
  /** Puts a question about this call to the person, whatever the rules allow. */
  readonly ask: Ask;
}

export interface ToolProgress {
  readonly text?: string;
  readonly diff?: Diff | readonly Diff[];
  readonly terminal?: { readonly id: string };
  readonly locations?: readonly ToolCallLocation[];
}

/** What came of it. `text` is for the model; `content`, `diff` and `locations` are what the person is shown. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError?: boolean;
  /** Images and other content that the model should see besides the text. */
  readonly content?: readonly ContentBlock[];
  readonly diff?: Diff | readonly Diff[];
  readonly locations?: readonly ToolCallLocation[];
  readonly rawOutput?: unknown;
  /** What became of each file, so that `/undo` can put it back. */
  readonly changes?: readonly FileChange[];
}

/** What a file held before and after; null when it did not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}
