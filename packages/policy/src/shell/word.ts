import type { ParsedScript, Word, WordPart } from 'unbash';
import { ANY_IN_SEGMENT, GLOBSTAR, type Glob, NO_DOT, STAR } from '../pattern/glob.ts';
import { expandBraces } from './braces.ts';
import { readArithmetic, readParameter } from './expansion.ts';

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
  /** For `below`: names come without their folder in front, so one may start with a dash. */
  readonly isBare?: boolean;
}

/** What a word's meaning depends on, and where its findings go. */
export interface WordScope {
  readonly home: string | undefined;
  readonly variables: ReadonlyMap<string, ShellWord>;
  /** Called with each script that runs while the word is expanded. */
  readonly onScript: (script: ParsedScript | undefined, text: string) => void;
  readonly onOpaque: (because: string, text: string) => void;
}

export function literalWord(value: string, text: string = value): ShellWord {
  return { text, value, glob: NOTHING, splits: false };
}

export function unknownWord(text: string, splits = true): ShellWord {
  return { text, value: undefined, glob: ANYTHING, splits };
}

/** The words that one written word becomes; more than one only for braces. */
export function readWords(word: Word, scope: WordScope): readonly ShellWord[] {
  if (PLAIN.test(word.text)) return [literalWord(word.text)];
  const alternatives = expandBraces(word.parts);
  if (alternatives === undefined) return [readWord(word, scope)];
  return alternatives.map((parts) => readParts(word.text, parts, scope));
}

/** As `readWords`, where the shell keeps it one word: assignments, redirects, here-strings. */
export function readWord(word: Word, scope: WordScope): ShellWord {
  if (PLAIN.test(word.text)) return literalWord(word.text);
  if (word.text.includes('\u0000')) scope.onOpaque('contains a NUL character', word.text);
  if (QUOTE_THEN_HASH.test(word.text)) scope.onOpaque('has a # where shells differ about comments', word.text);
  if (
    word.parts === undefined
      ? BARE_PARENTHESIS.test(word.text)
      : word.parts.some((part) => part.type === 'Literal' && BARE_PARENTHESIS.test(part.text))
  ) {
    scope.onOpaque('has a parenthesis where shells differ about it', word.text);
  }
  if (ZSH_EQUALS.test(word.text)) scope.onOpaque('starts with "=", which some shells expand to a program', word.text);
  return readParts(
    word.text,
    word.parts ?? [{ type: 'Literal', value: word.value, text: word.text, pos: 0, end: 0 }],
    scope,
  );
}

/** A here-document's body, or any text in which only expansions count. */
export function readQuotedText(text: string, parts: readonly WordPart[] | undefined, scope: WordScope): ShellWord {
  if (parts === undefined) return literalWord(text);
  const builder = createBuilder();
  for (const part of parts) addPart(builder, part, scope, true);
  return builder.finish(text);
}

/** Collects a value piece by piece; each piece is literal text or a wildcard. */
export interface WordBuilder {
  addText(text: string): void;
  addWildcards(glob: Glob, splits: boolean): void;
  /** Takes over what is known of another word. */
  addWord(word: ShellWord, isQuoted: boolean): void;
  finish(text: string): ShellWord;
}

function readParts(text: string, parts: readonly WordPart[], scope: WordScope): ShellWord {
  const builder = createBuilder();
  const tilde = text.startsWith('~') ? TILDE.exec(parts[0]?.text ?? '')?.[0] : undefined;
  for (const [index, part] of parts.entries()) {
    if (index === 0 && tilde !== undefined && part.type === 'Literal') {
      if (tilde === '~' && scope.home !== undefined) builder.addText(scope.home + part.value.slice(1));
      else builder.addWildcards(ANYTHING, false);
    } else {
      addPart(builder, part, scope, false);
    }
  }
  return builder.finish(text);
}

function addPart(builder: WordBuilder, part: WordPart, scope: WordScope, isQuoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return builder.addText(part.value);
    case 'AnsiCQuoted':
      if (part.text.includes("\\'")) scope.onOpaque('is quoted in a way that shells read differently', part.text);
      if (part.value.includes('\u0000')) scope.onOpaque('contains a NUL character', part.text);
      return builder.addText(part.value);
    case 'DoubleQuoted':
      for (const child of part.parts) addPart(builder, child, scope, true);
      return;
    case 'LocaleString':
      scope.onOpaque('is a translated string', part.text);
      return builder.addWildcards(ANYTHING, false);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readParameter(builder, part, scope, isQuoted);
    case 'CommandExpansion':
      if (/^\$(?:\{|\(\()/.test(part.text)) scope.onOpaque('is a substitution that only some shells know', part.text);
      scope.onScript(part.script, part.text);
      return builder.addWildcards(ANYTHING, !isQuoted);
    case 'ArithmeticExpansion':
      return readArithmetic(builder, part, scope);
    case 'ProcessSubstitution':
      scope.onScript(part.script, part.text);
      return builder.addText('/dev/fd/63');
    case 'Glob':
      if (part.kind === 'star') return builder.addWildcards(STARS, true);
      return builder.addWildcards([ANY_IN_SEGMENT], true);
    case 'ExtendedGlob':
      scope.onOpaque('contains a pattern that some shells can run code from', part.text);
      return builder.addWildcards(ANYTHING, true);
    case 'BraceExpansion':
      if (part.parts === undefined && /[$`<>]/.test(part.text)) scope.onOpaque('cannot be looked into', part.text);
      for (const child of part.parts ?? []) addPart(createBuilder(), child, scope, isQuoted);
      return builder.addWildcards(ANYTHING, true);
    default:
      scope.onOpaque('contains something this version does not know', JSON.stringify(part));
  }
}

function createBuilder(): WordBuilder {
  let value: string | undefined = '';
  let glob: number[] = [];
  let splits = false;
  const addWildcards = (wildcards: Glob, maySplit: boolean) => {
    if (value !== undefined) {
      for (let index = 0; index < value.length; index += 1) glob.push(value.charCodeAt(index));
      value = undefined;
    }
    const atNameStart = glob.length === 0 || glob.at(-1) === SLASH;
    glob = glob.concat(wildcards === STARS ? (atNameStart ? [NO_DOT, STAR] : [STAR]) : wildcards);
    splits ||= maySplit;
  };
  const addText = (text: string) => {
    if (value !== undefined) value += text;
    else for (let index = 0; index < text.length; index += 1) glob.push(text.charCodeAt(index));
  };
  return {
    addText,
    addWildcards,
    addWord(word, isQuoted) {
      if (word.value === undefined) addWildcards(word.glob, word.splits || !isQuoted);
      else if (isQuoted || !SPLITTABLE.test(word.value)) addText(word.value);
      else addWildcards(ANYTHING, true);
    },
    finish: (text) => ({
      text,
      value,
      glob: value !== undefined ? NOTHING : glob.length > MAX_GLOB ? ANYTHING : glob,
      splits,
    }),
  };
}

/** Longest glob that is compared; beyond it a word counts as unknown. */
const MAX_GLOB = 512;
export const ANYTHING: Glob = [GLOBSTAR];
const NOTHING: Glob = [];
/** A `*` as written; whether it may match a leading dot depends on what stands before it. */
const STARS: Glob = [STAR];
const SLASH = 47;
/** Words without quotes, expansions, globs, tildes or a leading "=": most words of most commands. */
const PLAIN = /^[A-Za-z0-9_\-./:,@%+][A-Za-z0-9_\-./:,@%+=]*$/;
const TILDE = /^~[^/]*/;
const BARE_PARENTHESIS = /(?<!\\)[()]/;
const QUOTE_THEN_HASH = /["'`)}\]]#/;
const ZSH_EQUALS = /^=[^=\s]/;
/** A value that word splitting or globbing can change when it is not quoted. */
const SPLITTABLE = /[\s*?[\]\\~{}]|^$/;
