import type { Danger, Inner } from './analysis.ts';
import type { Input } from './input.ts';
import { literalWord, type ShellWord, unknownWord } from './words/shell-word.ts';

/** Longest code that is taken apart, and most words of it that are compared with rules. */
const MAX_CHARS = 4096;
const MAX_WORDS = 64;

/**
 * Commands that a program may run though nobody can read it from outside: the end of the line of a program that is not known
 * (`setarch x86_64 rm f`), and each word of code (`awk 'BEGIN { system("rm f") }'`). They count for rules that ask or deny.
 */
export function commandsThatMayRun(
  words: readonly ShellWord[],
  isKnown: boolean,
  { dangers, inner }: { readonly dangers: readonly Danger[]; readonly inner?: Inner | undefined },
  input: Input,
): readonly (readonly ShellWord[])[] {
  if (isKnown && dangers.length === 0 && inner?.needs !== 'outer') return NONE;
  const tails = isKnown ? [] : words.map((_, index) => words.slice(index)).slice(1, MAX_WORDS);
  const texts = input.type === 'text' ? [...words.slice(1), input.word] : words.slice(1);
  return [...tails, ...texts.flatMap(namesIn)];
}

/** The words of a text that may be names of programs, each with arguments that are not known. */
function namesIn({ value = '' }: ShellWord): readonly (readonly ShellWord[])[] {
  if (!/[^\w./-]/.test(value) || value.length > MAX_CHARS) return [];
  const names = new Set(value.match(/[\w./-]+/g) ?? []);
  return [...names].slice(0, MAX_WORDS).map((name) => [literalWord(name), unknownWord('...')]);
}

const NONE: readonly never[] = [];
