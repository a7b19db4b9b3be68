import type { Danger, FileUse, Inner } from './analysis.ts';
import type { Reader } from './reader.ts';
import type { State } from './state.ts';
import type { ShellWord } from './word.ts';

/** What the value of an option, or an operand, is. */
export type ValueRole = 'text' | 'read' | 'write' | 'touch';

/** What an option means to a permission. An option that is not listed is a switch without a value. */
export interface OptionMeaning {
  /** It takes a value, and this is what the value is. */
  readonly value?: ValueRole;
  /** Why a `*` does not cover it. */
  readonly danger?: string;
  /** Operands stand for everything below them. */
  readonly isTree?: boolean;
  /** Writing is not what the program is for. */
  readonly isBesides?: boolean;
}

/** What operands are, in order. */
export interface OperandRoles {
  readonly first?: ValueRole;
  readonly rest: ValueRole;
  /** The last of two or more operands: the target of `cp a b`. */
  readonly last?: ValueRole;
}

/** What we know about a program's arguments. Programs without a profile may read or write any file they are given. */
export interface CommandProfile {
  readonly operands?: ValueRole | OperandRoles;
  readonly options?: Readonly<Record<string, OptionMeaning>>;
  /** `words`: long options with a single dash, as `find -exec`. Default: short clusters and `--long`. */
  readonly style?: 'words';
  /** Operands stand for everything below them, as with `rm -r` where it needs no option. */
  readonly isTree?: boolean;
  /** The last of several operands is where the others go: `cp a b folder`. */
  readonly lastIsTarget?: boolean;
  /** What is below a folder is read without names that start with a dot. */
  readonly skipsHidden?: boolean;
  /** A further look, where options and operands do not tell enough. */
  readonly look?: Look;
  /** Replaces the scan of options and operands altogether. */
  readonly lookInstead?: Look;
}

/** Looks into one call of a program. */
export type Look = (call: Call, context: LookContext) => Findings;

/** Program and arguments, with the arguments sorted where a profile could sort them. */
export interface Call {
  readonly words: readonly ShellWord[];
  readonly operands: readonly ShellWord[];
  readonly dangers: readonly Danger[];
}

/** The surroundings of a call; the functions of `inner.ts` look into what stands in it. */
export interface LookContext {
  readonly reader: Reader;
  readonly state: State;
  /** What the program reads from its input, as far as it is known. */
  readonly input: Input;
}

/** What comes in at a command's input. */
export type Input =
  | { readonly type: 'unknown' }
  /** Names of files below these folders, one a line. */
  | { readonly type: 'names'; readonly below: readonly string[]; readonly isBare: boolean }
  /** A here-document or here-string. */
  | { readonly type: 'text'; readonly word: ShellWord };

/** Names of files, each ended by NUL, as one program hands them to another. */
export type PrintedNames = Extract<Input, { readonly type: 'names' }>;

/** What a look found; what is left out is empty. */
export interface Findings {
  readonly files?: readonly FileUse[] | undefined;
  readonly dangers?: readonly Danger[] | undefined;
  readonly inner?: Inner | undefined;
  readonly plainWords?: readonly ShellWord[] | undefined;
  readonly isHarmless?: boolean | undefined;
  /** Why this call cannot be looked into at all. */
  readonly opaque?: string | undefined;
  /** The names it prints. */
  readonly printsNames?: PrintedNames | undefined;
}

export const TEXT: OptionMeaning = { value: 'text' };
export const READ: OptionMeaning = { value: 'read' };
/** A file that a program writes besides its real work: like a redirect, and like one not covered by a `*`. */
export const WRITE: OptionMeaning = { value: 'write', isBesides: true };
/** A file or folder that a program writes because that is what it is for. */
export const TARGET: OptionMeaning = { value: 'write' };
export const TREE: OptionMeaning = { isTree: true };
export const RUNS: OptionMeaning = { value: 'text', danger: 'runs another program' };
export const CODE: OptionMeaning = { value: 'text', danger: 'runs code given on the line' };
export const LOADS: OptionMeaning = { value: 'text', danger: 'loads code or settings from elsewhere' };
export const UNKNOWN_ARGUMENT = 'is only known when it runs';

/** A switch that a `*` does not cover. */
export function flag(danger: string): OptionMeaning {
  return { danger };
}

/** The same meaning for several options: `each('-o --output', WRITE)`. */
export function each(names: string, meaning: OptionMeaning): Record<string, OptionMeaning> {
  return Object.fromEntries(names.split(' ').map((name) => [name, meaning]));
}

/** A danger of the call as a whole: only a rule without any wildcard covers it. */
export function wholeDanger(because: string): Danger {
  return { because, words: [{ text: 'it', value: undefined, glob: [], splits: false }], name: '' };
}

/** One danger made of words of the line. */
export function danger(because: string, ...words: readonly ShellWord[]): Danger {
  return { because, words, name: words[0]?.value?.split('=')[0] ?? '' };
}
