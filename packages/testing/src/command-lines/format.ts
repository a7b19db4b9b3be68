/** How a command line is called, and what it writes. One for each program that is imitated. */
export interface LineFormat {
  readonly usage: Usage;
  /** The name that its shell has among its tools. */
  readonly shell: string;
  /** Whether its last line has the whole answer once more. */
  readonly hasAnswerInResult: boolean;
  /** Whether it has a line that ends a turn at all. */
  readonly hasResult: boolean;
  begin(turn: FakeTurn): readonly object[];
  thought(turn: FakeTurn, text: string): readonly object[];
  /** One message of the agent, which some programs write in pieces and then whole. */
  text(turn: FakeTurn, pieces: readonly string[]): readonly object[];
  toolStart(turn: FakeTurn, call: FakeToolCall): readonly object[];
  toolEnd(turn: FakeTurn, call: FakeToolCall): readonly object[];
  end(turn: FakeTurn, answer: string): readonly object[];
  /** The lines of a turn that the program itself could not do. */
  fail(turn: FakeTurn, message: string): readonly object[];
  /** The line that asks whether a tool may run, for programs that ask on stdout and hear on stdin. */
  ask?(turn: FakeTurn, call: FakeToolCall): object;
  /** What a line on stdin says. */
  hear?(line: Readonly<Record<string, unknown>>): Heard;
}

/** The arguments that a program knows; others it refuses. */
export interface Usage {
  /** Words that must come first, such as `exec`. */
  readonly words?: readonly string[];
  /** Words in place of those, of which the last is the id of a session, such as `threads continue <id>`. */
  readonly resumeWords?: readonly string[];
  /** Flags with a value. */
  readonly values: readonly string[];
  readonly switches: readonly string[];
  /** The flags that have the prompt. An argument that belongs to no flag is the prompt too; without any it comes on stdin. */
  readonly prompts?: readonly string[];
  /** The flag that has the id of a session to go on with. */
  readonly resume?: string;
  /** A switch without which the id of `resume` is that of a new session. */
  readonly resumeSwitch?: string;
  /** A word among the arguments after which comes the id of a session to go on with. */
  readonly resumeWord?: string;
  /** Flags, with `=` and their value, that must be there for lines of JSON. */
  readonly needs: readonly string[];
  /** The flag and value that make it read lines of JSON on stdin, for as long as stdin is open. */
  readonly linesIn?: string;
  /** The flag that makes it write pieces of messages. */
  readonly pieces?: string;
}

export interface FakeTurn {
  readonly sessionId: string;
  readonly prompt: string;
  /** From 1; more when a session went on. */
  readonly number: number;
  readonly cwd: string;
  /** Whether it was told to write pieces of messages. */
  readonly hasPieces: boolean;
  /** Another id for each message. */
  newId(): string;
}

export interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError: boolean;
}

export type Heard =
  | { readonly type: 'prompt'; readonly text: string; readonly images: number }
  | { readonly type: 'answer'; readonly id: string; readonly isAllowed: boolean }
  | { readonly type: 'interrupt'; readonly reply: object }
  | { readonly type: 'reply'; readonly line: object }
  | { readonly type: 'other' };

/** The tokens that every turn is said to have cost. */
export const USAGE = { input: 220, output: 21 } as const;
