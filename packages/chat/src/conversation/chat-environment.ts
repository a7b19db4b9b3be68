import type { ReadStream, WriteStream } from 'node:tty';

/** What the chat is joined to: the terminal, or the pipes, of a process. */
export interface ChatEnvironment {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where prompts are remembered from one chat to the next. Without it, only within one. */
  readonly historyFile?: string;
}
