import type { Danger } from '../analysis.ts';
import type { ShellWord } from '../words/shell-word.ts';

export const UNKNOWN_ARGUMENT = 'is only known when it runs';

/** A danger of the call as a whole: only a rule without any wildcard covers it. */
export function wholeDanger(because: string): Danger {
  return { because, words: [{ text: 'it', value: undefined, glob: [], splits: false }], name: '' };
}

/** One danger made of words of the line. */
export function danger(because: string, ...words: readonly ShellWord[]): Danger {
  return { because, words, name: words[0]?.value?.split('=')[0] ?? '' };
}
