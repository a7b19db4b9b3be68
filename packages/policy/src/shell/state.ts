import { resolvePath } from '../paths.ts';
import type { Directories } from './analysis.ts';
import type { ShellWord } from './word.ts';

/** What one command leaves behind for the next: the folder it stands in, and variables whose value is known. */
export interface State {
  readonly directories: Directories;
  readonly variables: ReadonlyMap<string, ShellWord>;
}

/** Where a command leads: `&&` goes on from `ok`, `||` from `fail`. */
export interface Outcome {
  readonly ok: State;
  readonly fail: State;
}

/** Most folders that are followed at once; beyond it the folder counts as unknown. */
const MAX_DIRECTORIES = 8;
const NO_VARIABLES: ReadonlyMap<string, ShellWord> = new Map();

export function startState(directories: Directories): State {
  return { directories, variables: NO_VARIABLES };
}

export function same(state: State): Outcome {
  return { ok: state, fail: state };
}

/** What is true whichever of the two states holds. */
export function join(left: State, right: State): State {
  if (left === right) return left;
  const variables = new Map([...left.variables].filter(([name, word]) => right.variables.get(name) === word));
  if (left.directories === undefined || right.directories === undefined) return { directories: undefined, variables };
  const directories = unite(left.directories, right.directories);
  return { directories: directories.length > MAX_DIRECTORIES ? undefined : directories, variables };
}

/** Both lists as one; the same list when nothing is added. */
function unite(left: readonly string[], right: readonly string[]): readonly string[] {
  const added = right.filter((directory) => !left.includes(directory));
  return added.length === 0 ? left : [...left, ...added];
}

/** Nothing is known any more: after `source file`, or in a loop that moves about. */
export function forget(): State {
  return { directories: undefined, variables: NO_VARIABLES };
}

export function withVariable(state: State, name: string, word: ShellWord | undefined): State {
  const variables = new Map(state.variables);
  if (word === undefined) variables.delete(name);
  else variables.set(name, word);
  return { ...state, variables };
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
