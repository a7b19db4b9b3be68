import type { ReadStream, WriteStream } from 'node:tty';

/** What the chat is joined to. A test gives its own. */
export interface ChatEnvironment {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where prompts are remembered from one chat to the next. Without it, only within one. */
  readonly historyFile?: string;
}

export function processEnvironment(): ChatEnvironment {
  return { input: process.stdin, output: process.stdout, env: process.env };
}
