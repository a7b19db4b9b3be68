import type { ParsedScript } from 'unbash';
import type { Part, Span } from './analysis.ts';
import type { Input } from './input.ts';
import type { State } from './state.ts';
import type { ShellWord } from './words/shell-word.ts';

/** Shared by everything that is read for one command line. */
export interface Reader {
  readonly parts: Part[];
  readonly home: string | undefined;
  /** The text that positions point into. */
  readonly source: string;
  /** Is that the line itself, and not a text found in it? */
  readonly isLine: boolean;
  readonly depth: number;
  /** Which shell reads the text; `any` where that is not known, and then what shells read differently is not read at all. */
  readonly shell: ShellKind;
  /** It stands in a substitution, whose end shells look for in different ways. */
  readonly isNested: boolean;
  /** Counts down over the whole line, however its commands are nested. */
  readonly budget: { calls: number };
  /** This is one of the tails of a line that is tried as a command; its own tails are tried anyway. */
  readonly isTail: boolean;
  /** Reads a parsed script into `parts`; a field because words, commands and scripts contain each other. */
  readonly readScript: (reader: Reader, script: ParsedScript, state: State) => State;
  /** Reads `source` as a script of its own. */
  readonly readText: (reader: Reader, state: State) => readonly Part[];
  /** Looks into one program with its arguments. */
  readonly readCall: (reader: Reader, options: CallOptions) => Part;
  /** Is this the name of a program that is known to do something? */
  readonly isProgram: (name: string) => boolean;
}

/** One program about to be run. */
export interface CallOptions {
  readonly words: readonly ShellWord[];
  readonly text: string;
  readonly span: Span | undefined;
  readonly state: State;
  readonly input: Input;
  /** It is a command of the shell itself, so `cd` moves the shell; behind a wrapper it may or may not. */
  readonly leavesShell?: boolean;
}

/** What a word's meaning depends on, and where its findings go. */
export interface WordScope {
  readonly reader: Reader;
  readonly state: State;
}

/** The language of a text: that of bash, or what bash, dash and busybox have in common. */
export type ShellKind = 'bash' | 'any';

/** Most parts a command line may have. */
export const MAX_PARTS = 128;
/** How deep commands may stand in commands. */
export const MAX_DEPTH = 12;
/** Most commands that are looked into for one line, those inside others included. */
export const MAX_CALLS = 512;
/** Most words one command may have. */
export const MAX_WORDS = 1024;

/** Where a node stands in the line. */
export function spanOf(reader: Reader, node: { readonly pos: number; readonly end: number }): Span | undefined {
  return reader.isLine ? { start: node.pos, end: node.end } : undefined;
}

/** Notes something that cannot be looked into. */
export function opaque(reader: Reader, text: string, because: string): void {
  reader.parts.push({ type: 'opaque', text, because });
}

/** As `opaque`, for something in a word. */
export function note({ reader }: WordScope, because: string, text: string): void {
  opaque(reader, text, because);
}

/** Notes something that only bash reads as we do. */
export function noteUnlessBash(scope: WordScope, text: string): void {
  if (scope.reader.shell !== 'bash') note(scope, 'is something that shells read differently', text);
}

/** Reads a script that runs while a word is expanded. */
export function readNested({ reader, state }: WordScope, script: ParsedScript | undefined, text: string): void {
  if (script === undefined) return opaque(reader, text, 'cannot be looked into');
  if (reader.depth >= MAX_DEPTH) return opaque(reader, text, 'is nested too deeply');
  const { source = reader.source } = script;
  const isLine = reader.isLine && script.source === undefined;
  reader.readScript({ ...reader, source, isLine, isNested: true, depth: reader.depth + 1 }, script, state);
}
