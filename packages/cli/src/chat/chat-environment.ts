import { join } from 'node:path';
import type { ReadStream, WriteStream } from 'node:tty';
import { findPlaces } from '../places.ts';

/** What the chat is joined to. A test gives its own. */
export interface ChatEnvironment {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where prompts are remembered from one chat to the next. Without it, only within one. */
  readonly historyFile?: string;
}

/** The terminal, or the pipes, of this process. */
export function processEnvironment(): ChatEnvironment {
  const { stdin: input, stdout: output, env } = process;
  return { input, output, env, historyFile: join(findPlaces(env).state, 'prompt-history') };
}
