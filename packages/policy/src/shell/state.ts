import { resolvePath } from '../workspace/paths.ts';
import type { Directories } from './analysis.ts';
import type { ShellWord } from './words/shell-word.ts';

/** What a command depends on besides its own words. The folder after a literal `cd` is all that one command leaves behind for the next. */
export interface State {
  readonly directories: Directories;
  /** Variables of the `for` loops around a command. Nothing in the language sets a variable, so they hold their words in the whole body. */
  readonly loops: ReadonlyMap<string, ShellWord>;
  /** Variables that the program is given: `NAME=value program`, `env NAME=value program`, or beside the line. */
  readonly environment: readonly Setting[];
}

/** A variable that a program is given. */
export interface Setting {
  readonly word: ShellWord;
  readonly name: string;
}

/** Where a command leads: `&&` goes on from `ok`, `||` from `fail`. */
export interface Outcome {
  readonly ok: State;
  readonly fail: State;
}

/** Most folders that are followed at once; beyond it the folder counts as unknown. */
const MAX_DIRECTORIES = 8;
const NO_LOOPS: ReadonlyMap<string, ShellWord> = new Map();
const NO_SETTINGS: readonly Setting[] = [];

export function startState(directories: Directories, environment: readonly Setting[] = NO_SETTINGS): State {
  return { directories, loops: NO_LOOPS, environment };
}

export function same(state: State): Outcome {
  return { ok: state, fail: state };
}

/** Merges the states of two branches: the folder is one of both. The loops and programs around them are the same. */
export function join(left: State, right: State): State {
  if (left.directories === right.directories) return left;
  if (left.directories === undefined || right.directories === undefined) return { ...left, directories: undefined };
  const added = right.directories.filter((directory) => !left.directories?.includes(directory));
  if (added.length === 0) return left;
  const directories = [...left.directories, ...added];
  return { ...left, directories: directories.length > MAX_DIRECTORIES ? undefined : directories };
}

export function withLoop(state: State, name: string, word: ShellWord): State {
  return { ...state, loops: new Map([...state.loops, [name, word]]) };
}

/** The state in which a program finds these variables. */
export function withSettings(state: State, settings: readonly Setting[]): State {
  return settings.length === 0 ? state : { ...state, environment: [...state.environment, ...settings] };
}

/** The state after `cd target`, which shells resolve by its text; the disk is looked at where files are judged. */
export function changeDirectory(state: State, target: string | undefined): State {
  const bases = target?.startsWith('/') ? ['/'] : state.directories;
  if (target === undefined || bases === undefined) return { ...state, directories: undefined };
  return { ...state, directories: [...new Set(bases.map((directory) => resolvePath(directory, target)))] };
}
