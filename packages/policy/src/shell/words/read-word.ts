import type { Word, WordPart } from 'unbash';
import { ANY_IN_SEGMENT } from '../../glob.ts';
import { note, noteUnlessBash, readNested, type WordScope } from '../reader.ts';
import { expandBraces } from './braces.ts';
import { readArithmetic, readParameter } from './expansion.ts';
import { ANYTHING, literalWord, type ShellWord } from './shell-word.ts';
import { addText, addWildcards, finishDraft, STARS, startDraft, type WordDraft } from './word-draft.ts';

/** Adds the words that one written word becomes; more than one only for braces. */
export function pushWords(words: ShellWord[], word: Word, scope: WordScope): void {
  if (PLAIN.test(word.text)) words.push(literalWord(word.text));
  else words.push(...readWords(word, scope));
}

/** The words that one written word becomes. */
export function readWords(word: Word, scope: WordScope): readonly ShellWord[] {
  const alternatives = expandBraces(word.parts);
  if (alternatives === undefined) return [readWord(word, scope)];
  noteUnlessBash(scope, word.text);
  checkWord(word, scope);
  // An alternative that is empty is no word: `{a,}` is `a`.
  return alternatives.map((parts) => readParts(word.text, parts, scope)).filter(({ value }) => value !== '');
}

/** As `readWords`, where the shell keeps it one word: assignments, redirects, here-strings. */
export function readWord(word: Word, scope: WordScope): ShellWord {
  if (PLAIN.test(word.text)) return literalWord(word.text);
  checkWord(word, scope);
  const { text, value, parts = [{ type: 'Literal', value, text, pos: 0, end: 0 }] } = word;
  return readParts(text, parts, scope);
}

/** Notes what one shell takes for a part of a word and another does not. */
function checkWord(word: Word, scope: WordScope): void {
  const { text } = word;
  if (text.includes('\u0000')) note(scope, 'contains a NUL character', text);
  if (HASH_IN_WORD.test(text)) note(scope, 'has a # where shells differ about comments', text);
  if (hasBareSign(word)) note(scope, 'has a sign of the shell inside a word, where shells differ about it', text);
  if (hasJoinedLine(word)) note(scope, 'goes on in the next line in a place where shells differ', text);
  if (ZSH_EQUALS.test(text)) note(scope, 'starts with "=", which some shells expand to a program', text);
}

function hasJoinedLine({ text, parts }: Word): boolean {
  if (!text.includes('\\\n')) return false;
  return parts === undefined || parts.some((part) => part.type !== 'SingleQuoted' && part.text.includes('\\\n'));
}

function hasBareSign(word: Word): boolean {
  if (word.parts === undefined) return BARE_SIGN.test(word.text.replaceAll('\\\n', ''));
  return word.parts.some(
    (part) => (part.type === 'Literal' || part.type === 'Glob') && BARE_SIGN.test(part.text.replaceAll('\\\n', '')),
  );
}

/** A here-document's body, or any text in which only expansions count. */
export function readQuotedText(text: string, parts: readonly WordPart[] | undefined, scope: WordScope): ShellWord {
  if (parts === undefined) return literalWord(text);
  const draft = startDraft();
  for (const part of parts) addPart(draft, part, scope, true);
  return finishDraft(draft, text);
}

function readParts(text: string, parts: readonly WordPart[], scope: WordScope): ShellWord {
  const draft = startDraft();
  const tilde = text.startsWith('~') ? TILDE.exec(parts[0]?.text ?? '')?.[0] : undefined;
  for (const [index, part] of parts.entries()) {
    if (index === 0 && tilde !== undefined && part.type === 'Literal') {
      const { home } = scope.reader;
      if (tilde === '~' && home !== undefined) addText(draft, home + part.value.slice(1));
      else addWildcards(draft, ANYTHING, false);
    } else if (part.type === 'Literal' && INNER_TILDE.test(index === 0 ? part.text : `=${part.text}`)) {
      // Some shells take a tilde after "=" or ":" for the home folder.
      addWildcards(draft, ANYTHING, false);
    } else {
      addPart(draft, part, scope, false);
    }
  }
  return finishDraft(draft, text);
}

function addPart(draft: WordDraft, part: WordPart, scope: WordScope, isQuoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return addText(draft, part.value);
    case 'AnsiCQuoted':
      noteUnlessBash(scope, part.text);
      if (!PLAIN_ANSI.test(part.text)) note(scope, 'is quoted in a way that shells read differently', part.text);
      if (part.value.includes('\u0000')) note(scope, 'contains a NUL character', part.text);
      return addText(draft, part.value);
    case 'DoubleQuoted':
      for (const child of part.parts) addPart(draft, child, scope, true);
      return;
    case 'LocaleString':
      note(scope, 'is a translated string', part.text);
      return addWildcards(draft, ANYTHING, false);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readParameter(draft, part, scope, isQuoted);
    case 'CommandExpansion':
      if (/^\$(?:\{|\(\()/.test(part.text)) note(scope, 'is a substitution that only some shells know', part.text);
      if (part.text.startsWith('`') && part.text.includes('\\'))
        note(scope, 'has backslashes that shells read differently', part.text);
      readNested(scope, part.script, part.text);
      return addWildcards(draft, ANYTHING, !isQuoted);
    case 'ArithmeticExpansion':
      return readArithmetic(draft, part, scope);
    case 'ProcessSubstitution':
      noteUnlessBash(scope, part.text);
      readNested(scope, part.script, part.text);
      return addText(draft, '/dev/fd/63');
    case 'Glob':
      if (part.kind === 'star') return addWildcards(draft, STARS, true);
      if (part.kind === 'bracket' && !PLAIN_BRACKET.test(part.text))
        note(scope, 'is a pattern that shells read differently', part.text);
      // Where nothing matches, the brackets themselves stay: `a[1]` may be a1 or a[1].
      return addWildcards(draft, part.kind === 'bracket' ? STARS : [ANY_IN_SEGMENT], true);
    case 'ExtendedGlob':
      note(scope, 'contains a pattern that some shells can run code from', part.text);
      return addWildcards(draft, ANYTHING, true);
    case 'BraceExpansion':
      noteUnlessBash(scope, part.text);
      if (part.parts === undefined && /[$`<>]/.test(part.text)) note(scope, 'cannot be looked into', part.text);
      for (const child of part.parts ?? []) addPart(startDraft(), child, scope, isQuoted);
      return addWildcards(draft, ANYTHING, true);
    default:
      note(scope, 'contains something this version does not know', JSON.stringify(part));
  }
}

/** Words without quotes, expansions, globs, tildes or a leading "=": most words of most commands. */
const PLAIN = /^[A-Za-z0-9_\-./:,@%+][A-Za-z0-9_\-./:,@%+=]*$/;
const TILDE = /^~[^/]*/;
/** Signs that end a word unless they are quoted. */
const BARE_SIGN = /(?<!\\)[()\s;|&<>]/;
/** A tilde that stands after the "=" or a ":" of what looks like an assignment. */
const INNER_TILDE = /^(?:[A-Za-z_]\w*\+?)?=(?:.*:)?~/s;
/** In bash: escapes of which every version makes the same. */
const PLAIN_ANSI = /^\$'(?:[^\\']|\\[abefnrtv\\"])*'$/;
const PLAIN_BRACKET = /^\[[!^]?[\w.,+@%-]+\]$/;
const HASH_IN_WORD = /(?:["'`)}\]]|\$\w+|\$[@*?!$-])#/;
const ZSH_EQUALS = /^=[^=\s]/;
