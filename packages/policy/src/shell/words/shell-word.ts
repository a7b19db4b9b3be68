import { GLOBSTAR, type Glob } from '../../glob.ts';

/** A word of a command line: its exact value, or what is known of it before it runs. */
export interface ShellWord {
  /** As written. */
  readonly text: string;
  readonly value: string | undefined;
  /** What the value can be; only read where `value` is undefined. */
  readonly glob: Glob;
  /** May become any number of words: an unquoted expansion or a glob. */
  readonly splits: boolean;
  /** Names of files below these folders, as `find src | xargs` hands them on. */
  readonly below?: readonly string[];
  /** For `below`: some of the names may be those of links. */
  readonly hasLinks?: boolean;
  /** For `below`: what is behind links is found, too. */
  readonly follows?: boolean;
  /** For `below`: names were taken apart at blanks, so that only a look at the disk tells what they are. */
  readonly isBroken?: boolean;
  /** For `below`: names come without their folder in front, so one may start with a dash. */
  readonly isBare?: boolean;
}

export const ANYTHING: Glob = [GLOBSTAR];
export const NOTHING: Glob = [];

export function literalWord(value: string, text: string = value): ShellWord {
  return { text, value, glob: NOTHING, splits: false };
}

export function unknownWord(text: string, splits = true): ShellWord {
  return { text, value: undefined, glob: ANYTHING, splits };
}

/** A word in which a name is put: the name itself, or with text around it something that may be an option or climb. */
export function putName(word: ShellWord, mark: string, name: ShellWord): ShellWord {
  if (word.value === mark) return { ...name, text: word.text };
  return word.value?.includes(mark) ? unknownWord(word.text, false) : word;
}
