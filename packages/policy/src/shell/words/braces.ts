import type { WordPart } from 'unbash';

/** Most words that braces are expanded to; beyond it the word counts as unknown. */
export const MAX_BRACE_WORDS = 32;

/** The words a word with plain `{a,b}` lists becomes, each as parts; nothing when it has none or they are not plain. */
export function expandBraces(parts: readonly WordPart[] | undefined): readonly (readonly WordPart[])[] | undefined {
  if (!parts?.some((part) => part.type === 'BraceExpansion')) return undefined;
  let words: WordPart[][] = [[]];
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? listItems(part.text) : undefined;
    if (part.type === 'BraceExpansion' && choices === undefined) return undefined;
    words = words.flatMap((word) => (choices ?? [part]).map((choice) => [...word, choice]));
    if (words.length > MAX_BRACE_WORDS) return undefined;
  }
  return words;
}

function listItems(text: string): WordPart[] | undefined {
  if (!PLAIN_LIST.test(text)) return undefined;
  return text
    .slice(1, -1)
    .split(',')
    .map((value): WordPart => ({ type: 'Literal', value, text: value, pos: 0, end: 0 }));
}

const PLAIN_LIST = /^\{[A-Za-z0-9_\-./:@%+]*(?:,[A-Za-z0-9_\-./:@%+]*)+\}$/;
