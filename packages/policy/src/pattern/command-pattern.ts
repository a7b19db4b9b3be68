import {
  ANY_CHARACTER,
  foldGlob,
  GLOBSTAR,
  type Glob,
  hasWildcard,
  literalPrefix,
  matchesText,
  OPTIONAL_PAIR,
  overlaps,
} from '../glob.ts';
import type { ShellWord } from '../shell/words/shell-word.ts';
import type { Match } from './match.ts';

/** One word of a command pattern; `glob` is absent for a lone `*`, which stands for any number of words. */
export interface PatternWord {
  readonly glob?: Glob;
  /** The exact word, when the pattern has no wildcard in it. */
  readonly literal?: string;
  /** The text before the first wildcard. */
  readonly prefix: string;
}

/** The inside of `Bash(...)`: the words of one simple command. */
export interface CommandPattern {
  readonly type: 'command';
  readonly words: readonly PatternWord[];
  /** `Bash(*)` and plain `Bash`: any command with any argument. */
  readonly isEverything: boolean;
}

export const EVERY_COMMAND: CommandPattern = { type: 'command', words: [{ prefix: '' }], isEverything: true };

/** Where reading a pattern stopped: an offset into the pattern, and what is wrong there. */
export interface PatternProblem {
  readonly offset: number;
  readonly problem: string;
}

/** Reads the words of a command pattern: quotes as in a shell, `*` and `?` as wildcards, no operators. */
export function parseCommandPattern(text: string): CommandPattern | PatternProblem {
  const words: PatternWord[] = [];
  let offset = 0;
  for (;;) {
    while (text[offset] === ' ' || text[offset] === '\t') offset += 1;
    if (offset >= text.length) break;
    const word = readWord(text, offset);
    if ('problem' in word) return word;
    words.push(patternWord(word.tokens));
    offset = word.end;
  }
  const last = words.at(-1);
  if (last === undefined) return { offset: 0, problem: 'expected a command between the parentheses' };
  if (last.glob?.at(-1) === GLOBSTAR) words.push(ANY_WORDS);
  return { type: 'command', words, isEverything: words.length === 1 && last.glob === undefined };
}

/** The pattern in lower case, for rules that ignore case. */
export function foldCommandPattern(pattern: CommandPattern): CommandPattern {
  return { ...pattern, words: pattern.words.map((word) => (word.glob ? patternWord(foldGlob(word.glob)) : word)) };
}

/** Does the pattern match every command line these words can become, some of them, or none? */
export function matchCommand(pattern: CommandPattern, words: readonly ShellWord[], ignoreCase: boolean): Match {
  if (pattern.isEverything) return 'yes';
  if (walk(pattern.words, words, ignoreCase, coversAll)) return 'yes';
  if (words.every((word) => word.value !== undefined)) return 'no';
  return walk(pattern.words, words, ignoreCase, coversSome) ? 'maybe' : 'no';
}

/**
 * Does the pattern write these words out, or only let them pass under a `*`? `name` is the part of the first word that must
 * be written; after it, a `*` in the pattern stands for the remaining words.
 */
export function spellsOut(pattern: CommandPattern, words: readonly ShellWord[], name: string): boolean {
  if (pattern.isEverything || isExact(pattern)) return true;
  return pattern.words.some((_, start) =>
    words.every((word, offset) => {
      const expected = pattern.words[start + offset];
      if (
        offset > 0 &&
        pattern.words.slice(start + 1, start + offset + 1).some((earlier) => earlier.glob === undefined)
      )
        return true;
      if (expected?.glob === undefined || word.value === undefined) return false;
      const needed = Math.max(1, offset === 0 ? Math.min(name.length, word.value.length) : 1);
      return expected.prefix.length >= needed && matchesWord(expected, word.value, false);
    }),
  );
}

/** Does the pattern begin with these assignments? A wildcard may stand in a value, never in a name. */
export function writesSettings(pattern: CommandPattern, settings: readonly ShellWord[]): boolean {
  return settings.every(({ value }, index) => {
    const expected = pattern.words[index];
    if (expected?.glob === undefined || value === undefined) return false;
    return expected.prefix.length > value.indexOf('=') && matchesWord(expected, value, false);
  });
}

/** Does the pattern name this address, or none at all? */
export function coversAddress(pattern: CommandPattern, { value }: ShellWord): boolean {
  const named = pattern.words.slice(1).filter((word) => word.glob !== undefined && !word.prefix.startsWith('-'));
  if (named.length === 0) return true;
  return value !== undefined && named.some((word) => word.prefix !== '' && matchesWord(word, value, false));
}

/** Is every word of the pattern written out? Then it covers all that stands in the command, and nothing else. */
export function isExact(pattern: CommandPattern): boolean {
  return pattern.words.every((word) => word.literal !== undefined);
}

/** Writes words so that `parseCommandPattern` reads exactly them back. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

type Covers = (word: PatternWord, actual: ShellWord, ignoreCase: boolean) => boolean;

/** Walks pattern and words together, keeping the pattern positions that are still possible. */
function walk(
  pattern: readonly PatternWord[],
  words: readonly ShellWord[],
  ignoreCase: boolean,
  covers: Covers,
): boolean {
  let positions = skipAny(pattern, [0]);
  for (const word of words) {
    const next: number[] = [];
    for (const position of positions) {
      const expected = pattern[position];
      if (expected === undefined) {
        if (covers === coversSome && word.splits) addTo(next, position);
      } else if (expected.glob === undefined) {
        addTo(next, position);
      } else if (covers === coversSome && word.splits) {
        for (let ahead = position; ahead <= pattern.length; ahead += 1) addTo(next, ahead);
      } else if (covers(expected, word, ignoreCase)) {
        addTo(next, position + 1);
      }
    }
    if (next.length === 0) return false;
    positions = skipAny(pattern, next);
  }
  return positions.includes(pattern.length);
}

function addTo(positions: number[], position: number): void {
  if (!positions.includes(position)) positions.push(position);
}

function skipAny(pattern: readonly PatternWord[], positions: number[]): number[] {
  for (let index = 0; index < positions.length; index += 1) {
    const position = positions[index] ?? 0;
    const word = pattern[position];
    if (word !== undefined && word.glob === undefined && !positions.includes(position + 1))
      positions.push(position + 1);
  }
  return positions;
}

/** A wildcard in a path does not climb: `scripts/*` is not `scripts/../x`. */
function coversAll(word: PatternWord, actual: ShellWord, ignoreCase: boolean): boolean {
  if (actual.value === undefined || !matchesWord(word, actual.value, ignoreCase)) return false;
  return ignoreCase || word.literal !== undefined || !CLIMBS.test(actual.value);
}

function coversSome(word: PatternWord, actual: ShellWord, ignoreCase: boolean): boolean {
  if (actual.value !== undefined) return matchesWord(word, actual.value, ignoreCase);
  return word.glob === undefined || overlaps(word.glob, ignoreCase ? foldGlob(actual.glob) : actual.glob);
}

function matchesWord(word: PatternWord, value: string, ignoreCase: boolean): boolean {
  const compared = ignoreCase ? value.toLowerCase() : value;
  if (word.literal !== undefined) return word.literal === compared;
  return word.glob === undefined || matchesText(word.glob, compared);
}

const ANY_WORDS: PatternWord = { prefix: '' };
const CLIMBS = /(?:^|\/)\.\.(?:\/|$)/;
const PLAIN_WORD = /^[A-Za-z0-9_./:=,@%+-]+$/;
const OPERATORS = ';|&<>()$`\n\r';
const CONTROL = /\p{Cc}/u;

function patternWord(tokens: readonly number[]): PatternWord {
  if (tokens.length === 1 && tokens[0] === GLOBSTAR) return ANY_WORDS;
  const prefix = literalPrefix(tokens);
  return hasWildcard(tokens) ? { glob: tokens, prefix } : { glob: tokens, prefix, literal: prefix };
}

/** Reads one word from `start`. A last `:*`, as in `npm run test:*`, may be left out in the command. */
function readWord(text: string, start: number): { readonly tokens: number[]; readonly end: number } | PatternProblem {
  const tokens: number[] = [];
  const push = (part: string) => {
    for (let index = 0; index < part.length; index += 1) tokens.push(part.charCodeAt(index));
  };
  let offset = start;
  while (offset < text.length && text[offset] !== ' ' && text[offset] !== '\t') {
    const character = text[offset] ?? '';
    if (CONTROL.test(character)) return { offset, problem: 'a rule may not contain control characters or line breaks' };
    if (OPERATORS.includes(character)) {
      return { offset, problem: `a pattern is one simple command; put ${character} in quotes if it is part of a word` };
    }
    if (character === '\\') {
      if (offset + 1 >= text.length) return { offset, problem: 'expected a character after the backslash' };
      push(text[offset + 1] ?? '');
      offset += 2;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(text, offset, character);
      if ('problem' in quoted) return quoted;
      push(quoted.value);
      offset = quoted.end;
    } else {
      if (character === '*') tokens.push(GLOBSTAR);
      else if (character === '?') tokens.push(ANY_CHARACTER);
      else push(character);
      offset += 1;
    }
  }
  const isFamily = tokens.length > 2 && tokens.at(-1) === GLOBSTAR && text.slice(offset - 2, offset) === ':*';
  if (isFamily) tokens.splice(-2, 0, OPTIONAL_PAIR);
  return { tokens, end: offset };
}

function readQuoted(
  text: string,
  start: number,
  quote: string,
): { readonly value: string; readonly end: number } | PatternProblem {
  let value = '';
  let offset = start + 1;
  while (offset < text.length) {
    const character = text[offset] ?? '';
    if (CONTROL.test(character)) return { offset, problem: 'a rule may not contain control characters or line breaks' };
    if (character === quote) return { value, end: offset + 1 };
    const isEscape = quote === '"' && character === '\\' && '\\"$`'.includes(text[offset + 1] ?? ' ');
    value += isEscape ? (text[offset + 1] ?? '') : character;
    offset += isEscape ? 2 : 1;
  }
  return { offset: start, problem: `expected a closing ${quote}` };
}
