import type { ArithmeticExpansionPart, ParameterExpansionPart, SimpleExpansionPart } from 'unbash';
import { outsideGrammar } from '../grammar.ts';
import { note, type WordScope } from '../reader.ts';
import { ANYTHING } from './shell-word.ts';
import { addText, addWildcards, addWord, type WordDraft } from './word-draft.ts';

/** `$name` and `${name}`: the variable of a loop, the home folder, or one of few variables that hold no secret. Any other asks. */
export function readParameter(
  draft: WordDraft,
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: WordScope,
  isQuoted: boolean,
): void {
  const name = nameOf(part);
  const { loops } = scope.state;
  const { home } = scope.reader;
  const loop = name === undefined ? undefined : loops.get(name);
  if (loop && !isQuoted && loop.value === undefined)
    note(scope, 'is not quoted, so that blanks in it make more words', part.text);
  if (loop) return addWord(draft, loop, isQuoted);
  if (name === 'HOME' && home !== undefined) return addText(draft, home);
  addWildcards(draft, ANYTHING, !isQuoted);
  if (name === undefined) note(scope, outsideGrammar('other expansion'), part.text);
  else if (!PLAIN_VARIABLES.has(name)) note(scope, outsideGrammar('other variable'), part.text);
}

/** Undefined for anything but the plain value of a variable. */
function nameOf(part: SimpleExpansionPart | ParameterExpansionPart): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1);
  const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
  return isPlain && part.text === `\${${part.parameter}}` ? part.parameter : undefined;
}

/** `$((...))`: numbers only. A name in it is evaluated as code, and its value may hold a command. */
export function readArithmetic(draft: WordDraft, part: ArithmeticExpansionPart, scope: WordScope): void {
  if (!NUMBERS.test(part.text)) note(scope, outsideGrammar('other calculation'), part.text);
  addWildcards(draft, ANYTHING, false);
}

/** Values that the shell or the login sets; a line cannot, because no construct of the language sets a variable. */
export const PLAIN_VARIABLES: ReadonlySet<string> = new Set([
  '?',
  'HOME',
  'PATH',
  'PWD',
  'USER',
  'SHELL',
  'LANG',
  'TERM',
]);
const NUMBERS = /^\$\(\(\s*\d+(?:\s*[-+*/%]\s*\d+)*\s*\)\)$/;
