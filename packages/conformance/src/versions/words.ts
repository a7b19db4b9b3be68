import type { Protocol } from './protocol.ts';
import type { WireWords } from './wire-words.ts';
import { WORDS_1 } from './words-1.ts';
import { WORDS_2 } from './words-2.ts';

const WORDS: Readonly<Record<Protocol, WireWords>> = { 1: WORDS_1, 2: WORDS_2 };

export function wordsOf(protocol: Protocol): WireWords {
  return WORDS[protocol];
}
