import { resolvePath } from '../workspace/paths.ts';
import type { Directories } from './analysis.ts';
import type { ShellWord } from './words/shell-word.ts';

/** What one command leaves behind for the next: the folder it stands in, and variables whose value is known. */
export interface State {
  readonly directories: Directories;
  readonly variables: ReadonlyMap<string, ShellWord>;
  /** `NAME=value` words that the line has set: a program may find them in its environment. */
  readonly environment: readonly Setting[];
}

/** A variable that the line sets. */
export interface Setting {
  readonly word: ShellWord;
  readonly name: string;
  /** A plain `NAME=value` line: it reaches programs only where the variable was exported before. */
  readonly isPlain: boolean;
}

/** Where a command leads: `&&` goes on from `ok`, `||` from `fail`. */
export interface Outcome {
  readonly ok: State;
  readonly fail: State;
}

/** Most folders that are followed at once; beyond it the folder counts as unknown. */
const MAX_DIRECTORIES = 8;
const NO_VARIABLES: ReadonlyMap<string, ShellWord> = new Map();
const NO_SETTINGS: readonly Setting[] = [];

export function startState(directories: Directories, environment: readonly Setting[] = NO_SETTINGS): State {
  return { directories, variables: NO_VARIABLES, environment };
}

export function same(state: State): Outcome {
  return { ok: state, fail: state };
}

/** What is true whichever of the two states holds. */
export function join(left: State, right: State): State {
  if (left === right) return left;
  const variables = new Map([...left.variables].filter(([name, word]) => right.variables.get(name) === word));
  const environment =
    left.environment === right.environment
      ? left.environment
      : [...left.environment, ...right.environment.filter((setting) => !left.environment.includes(setting))];
  if (left.directories === undefined || right.directories === undefined)
    return { directories: undefined, variables, environment };
  const directories = unite(left.directories, right.directories);
  return { directories: directories.length > MAX_DIRECTORIES ? undefined : directories, variables, environment };
}

/** Both lists as one; the same list when nothing is added. */
function unite(left: readonly string[], right: readonly string[]): readonly string[] {
  const added = right.filter((directory) => !left.includes(directory));
  return added.length === 0 ? left : [...left, ...added];
}

/** Nothing is known any more: after `source file`, or in a loop that moves about. */
export function forget(state: State): State {
  return { directories: undefined, variables: NO_VARIABLES, environment: state.environment };
}

export function withVariable(state: State, name: string, word: ShellWord | undefined): State {
  const variables = new Map(state.variables);
  if (word === undefined) variables.delete(name);
  else variables.set(name, word);
  return { ...state, variables };
}

/** The state in which programs may find these variables. */
export function withSettings(state: State, settings: readonly Setting[]): State {
  return settings.length === 0 ? state : { ...state, environment: [...state.environment, ...settings] };
}

export function withoutVariables(state: State): State {
  return { ...state, variables: NO_VARIABLES };
}

/** The state after `cd target`. */
export function changeDirectory(state: State, target: string | undefined): State {
  if (target === undefined || state.directories === undefined)
    return { ...state, directories: target?.startsWith('/') ? [resolvePath('/', target)] : undefined };
  return { ...state, directories: [...new Set(state.directories.map((directory) => resolvePath(directory, target)))] };
}
