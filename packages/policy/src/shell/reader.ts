import type { ParsedScript } from 'unbash';
import type { Part, Span } from './analysis.ts';
import type { Input } from './profile.ts';
import type { State } from './state.ts';
import type { WordScope } from './word.ts';

/** Shared by everything that is read for one command line. */
export interface Reader {
  readonly parts: Part[];
  readonly home: string | undefined;
  /** The text that positions point into. */
  readonly source: string;
  /** Is that the line itself, and not a text found in it? */
  readonly isLine: boolean;
  readonly depth: number;
  /** Counts down over the whole line, however its commands are nested. */
  readonly budget: { calls: number };
  /** This is one of the tails of a line that is tried as a command; its own tails are tried anyway. */
  readonly isTail: boolean;
  /** Reads a parsed script into `parts`; a field because words, commands and scripts contain each other. */
  readonly readScript: (reader: Reader, script: ParsedScript, state: State) => State;
  /** Reads `source` as a script of its own. */
  readonly readText: (reader: Reader, state: State) => readonly Part[];
}

/** Most parts a command line may have. */
export const MAX_PARTS = 128;
/** How deep commands may stand in commands. */
export const MAX_DEPTH = 12;
/** Most commands that are looked into for one line, those inside others included. */
export const MAX_CALLS = 512;
/** Most words one command may have. */
export const MAX_WORDS = 1024;

export const NO_INPUT: Input = { type: 'unknown' };

/** Where a node stands in the line. */
export function spanOf(reader: Reader, node: { readonly pos: number; readonly end: number }): Span | undefined {
  return reader.isLine ? { start: node.pos, end: node.end } : undefined;
}

/** Notes something that cannot be looked into. */
export function opaque(reader: Reader, text: string, because: string): void {
  reader.parts.push({ type: 'opaque', text, because });
}

/** What words are read with at this point of the line. */
export function scopeOf(reader: Reader, state: State): WordScope {
  return {
    home: state.variables.has('HOME') ? undefined : reader.home,
    variables: state.variables,
    onScript: (script, text) => {
      if (script === undefined) opaque(reader, text, 'cannot be looked into');
      else if (reader.depth >= MAX_DEPTH) opaque(reader, text, 'is nested too deeply');
      else
        reader.readScript(
          {
            ...reader,
            source: script.source ?? reader.source,
            isLine: reader.isLine && script.source === undefined,
            depth: reader.depth + 1,
          },
          script,
          state,
        );
    },
    onOpaque: (because, text) => opaque(reader, text, because),
  };
}
