import type { Danger, Directories, FileUse, Inner } from '../analysis.ts';
import type { Input, PrintedNames } from '../input.ts';
import type { Reader } from '../reader.ts';
import type { State } from '../state.ts';
import type { ShellWord } from '../words/shell-word.ts';

/** What the value of an option, or an operand, is. `move` reads a file and takes it away or makes another of it: `mv`, `ln`, `gzip`. */
export type ValueRole = 'text' | 'read' | 'write' | 'move' | 'touch';

/** What an option means to a permission; an empty one is a switch that changes nothing about it. */
export interface OptionMeaning {
  /** It takes a value, and this is what the value is. */
  readonly value?: ValueRole;
  /** Why a `*` does not cover it. */
  readonly danger?: string;
  /** What follows belongs to what it names: `python -m module --anything`. */
  readonly isLast?: boolean;
  /** Operands stand for everything below them. */
  readonly isTree?: boolean;
  /** Links that are met below them are followed. */
  readonly follows?: boolean;
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

/**
 * What we know about a program's arguments. An option that is not listed is not covered by a `*`. Programs without a profile
 * may read or write any file they are given.
 */
export interface CommandProfile {
  readonly operands?: ValueRole | OperandRoles;
  readonly options?: Readonly<Record<string, OptionMeaning>>;
  /** `words`: long options with a single dash, as `find -exec`. Default: short clusters and `--long`. */
  readonly style?: 'words';
  /** Options that are not listed are switches: the program has too many, and none that matters. */
  readonly isOpen?: boolean;
  /** What follows the first operand belongs to that: `node script.js --anything`. */
  readonly stopsAtOperand?: boolean;
  /** `--test_reporter` is `--test-reporter`. */
  readonly hasUnderscores?: boolean;
  /** Without operands it reads the folder it stands in. */
  readonly readsFolder?: boolean;
  /** Links below operands are followed, as `diff -r` does. */
  readonly follows?: boolean;
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
  readonly options: readonly FoundOption[];
}

/** An option of a call, with its value where it takes one. */
export interface FoundOption {
  readonly name: string;
  readonly value: ShellWord | undefined;
}

/** The surroundings of a call; the functions of `inner.ts` look into what stands in it. */
export interface LookContext {
  readonly reader: Reader;
  readonly state: State;
  /** What the program reads from its input, as far as it is known. */
  readonly input: Input;
}

/** What a look found; what is left out is empty. */
export interface Findings {
  readonly files?: readonly FileUse[] | undefined;
  readonly dangers?: readonly Danger[] | undefined;
  readonly inner?: Inner | undefined;
  readonly addresses?: readonly ShellWord[];
  readonly usesRepository?: boolean;
  /** Where it works, when that is not the folder it is called in: `git -C sub`. */
  readonly directories?: Directories;
  readonly plainWords?: readonly ShellWord[] | undefined;
  readonly isHarmless?: boolean | undefined;
  /** Why this call cannot be looked into at all. */
  readonly opaque?: string | undefined;
  /** The names it prints. */
  readonly printsNames?: PrintedNames | undefined;
}
