import type { PrintedNames } from './input.ts';
import type { ShellWord } from './words/shell-word.ts';

/** What a command line does, as far as its text tells. Every part must be allowed for the line to be allowed. */
export type Part = CommandPart | FilePart | OpaquePart;

/** The folders a command may be running in: more than one after `cd a; ...`, unknown after `cd "$x"`. */
export type Directories = readonly string[] | undefined;

/** Where a part stands in the line: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One simple command. Fields are always there, if undefined: these are made and read more often than anything else. */
export interface CommandPart {
  readonly type: 'command';
  /** As written, for people. */
  readonly text: string;
  /** Unknown for what stands in another text, such as a script for `bash -c`. */
  readonly span: Span | undefined;
  /** Program and arguments; empty for a line of assignments. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` words before the program that change what it does. */
  readonly environment: readonly ShellWord[];
  readonly directories: Directories;
  readonly files: readonly FileUse[];
  readonly dangers: readonly Danger[];
  readonly inner: Inner | undefined;
  /** Addresses it reaches; a rule that writes one covers no other. */
  readonly addresses: readonly ShellWord[];
  /** It is git, which runs what the settings of the repository it stands in say. */
  readonly usesRepository: boolean;
  /** Options of the program itself left out (`git -C sub status` -> `git status`), for rules that name the rest. */
  readonly plainWords: readonly ShellWord[] | undefined;
  /** Names of files that it prints for the next command. */
  readonly printsNames: PrintedNames | undefined;
  /** Commands that it may run, unseen: for rules that ask or deny. */
  readonly mayRun: readonly (readonly ShellWord[])[];
  /** Does nothing by itself: `cd src`, `true`, `echo text`. */
  readonly isHarmless: boolean;
}

/** Commands that a command runs: `timeout 5 git status`, `find . -exec rm {} +`, `ssh host reboot`. */
export interface Inner {
  readonly parts: readonly Part[];
  /**
   * What allows it: `inner` the inner commands alone; `both` also a rule for the outer one;
   * `outer` only a rule that spells the inner program out, because it runs somewhere else.
   */
  readonly needs: 'inner' | 'both' | 'outer';
  /** Words that a rule for the outer command must spell out to cover the inner ones. */
  readonly program: readonly ShellWord[];
}

/** An argument that names a file. `touch` is for programs we do not know: it may read or write. */
export interface FileUse {
  readonly word: ShellWord;
  /** `move`: it is read, and then is elsewhere or another. */
  readonly access: 'read' | 'write' | 'move' | 'touch';
  /** Everything below a folder as well. */
  readonly isTree: boolean;
  /** For `isTree`: names that start with a dot are left out. */
  readonly skipsHidden?: boolean;
  /** For `isTree`: links below are followed. */
  readonly follows?: boolean;
  /** It only may be a file, as a word in a script: counts for rules that ask or deny. */
  readonly isGuess?: boolean;
  /** It may also start at the workspace's folder, as a path in `git show HEAD:path`. */
  readonly isFromRoot?: boolean;
  /** It is copied under its own name, so a protected name is protected at the other end. */
  readonly isCopied?: boolean;
  /** The program writes it besides its real work. Like a redirect it needs a rule to edit, or one that writes this out. */
  readonly besides?: Danger;
}

/** An argument that a `*` in a rule does not cover; the rule has to write it out. */
export interface Danger {
  readonly because: string;
  /** The words to write out; when one of them is unknown nothing can cover it. */
  readonly words: readonly ShellWord[];
  /** How much of the first word must be written out: `-exec`, `--output`. */
  readonly name: string;
}

/** A redirect, which is a file operation whatever command it stands at. */
export interface FilePart {
  readonly type: 'file';
  readonly text: string;
  readonly span: Span | undefined;
  readonly access: 'read' | 'write';
  readonly word: ShellWord;
  readonly directories: Directories;
}

/** Something that cannot be looked into. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly text: string;
  readonly because: string;
}
