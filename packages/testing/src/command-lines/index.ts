import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltProgram, buildProgram } from '../build-program.ts';
import type { FormatName } from './formats/index.ts';

export { USAGE } from './format.ts';
export { FORMATS, type FormatName } from './formats/index.ts';
export { answerTo, BEHAVIOURS, type Behaviour, FLOOD_PIECES, HUGE_CHARS, SAID, THOUGHT } from './play-turn.ts';

/** Programs that are called and answer as command-line agents do, well or badly. */
export interface CommandLines {
  /** What to spawn in place of the program; its own arguments follow. */
  command(options: { readonly format: FormatName; readonly folder: string }): readonly string[];
  remove(): Promise<void>;
}

/** How a command line was called, a line that it read on stdin, or a child that it left behind. */
export interface FakeCall {
  readonly pid?: number;
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly line?: string;
  readonly child?: number;
}

/** Builds the program once; the format is an argument, and what it does wrong is a word in the prompt. */
export async function buildCommandLines(): Promise<CommandLines> {
  const program: BuiltProgram = await buildProgram(new URL('./main.ts', import.meta.url));
  return {
    command: (options) => [process.execPath, program.path, JSON.stringify(options)],
    remove: program.remove,
  };
}

/** What happened to the command lines of a folder so far. */
export function readCalls(folder: string): readonly FakeCall[] {
  const file = join(folder, 'calls.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as FakeCall);
}
