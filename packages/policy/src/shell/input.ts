import type { ShellWord } from './words/shell-word.ts';

/** What comes in at a command's input. */
export type Input =
  | { readonly type: 'unknown' }
  /** Names of files below these folders. */
  | {
      readonly type: 'names';
      readonly below: readonly string[];
      readonly isBare: boolean;
      /** One a line, and not each ended by NUL. */
      readonly isLines?: boolean;
      /** They come from a record and not from the disk, so that a look at the disk does not show all of them. */
      readonly isRecorded?: boolean;
      readonly hasLinks?: boolean;
      readonly follows?: boolean;
    }
  /** A here-document or here-string. */
  | { readonly type: 'text'; readonly word: ShellWord };

/** Names of files, as one program hands them to another. */
export type PrintedNames = Extract<Input, { readonly type: 'names' }>;

export const NO_INPUT: Input = { type: 'unknown' };
