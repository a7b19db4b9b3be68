import { type Glob, NO_DOT, STAR } from '../../glob.ts';
import { ANYTHING, NOTHING, type ShellWord } from './shell-word.ts';

/** A word that is being put together: literal text as long as possible, then what it can be. */
export interface WordDraft {
  value: string | undefined;
  glob: number[];
  splits: boolean;
}

/** Longest glob that is compared; beyond it a word counts as unknown. */
const MAX_GLOB = 512;

/** A `*` as written; whether it may match a leading dot depends on what stands before it. */
export const STARS: Glob = [STAR];

export function startDraft(): WordDraft {
  return { value: '', glob: [], splits: false };
}

export function addText(draft: WordDraft, text: string): void {
  if (draft.value !== undefined) draft.value += text;
  else for (let index = 0; index < text.length; index += 1) draft.glob.push(text.charCodeAt(index));
}

export function addWildcards(draft: WordDraft, wildcards: Glob, splits: boolean): void {
  if (draft.value !== undefined) {
    const { value } = draft;
    draft.value = undefined;
    addText(draft, value);
  }
  const isNameStart = draft.glob.length === 0 || draft.glob.at(-1) === SLASH;
  draft.glob.push(...(wildcards === STARS && isNameStart ? [NO_DOT, STAR] : wildcards));
  draft.splits ||= splits;
}

/** Takes over what is known of another word: the value of a variable. */
export function addWord(draft: WordDraft, word: ShellWord, isQuoted: boolean): void {
  if (word.value === undefined) addWildcards(draft, word.glob, word.splits || !isQuoted);
  else if (isQuoted || !SPLITTABLE.test(word.value)) addText(draft, word.value);
  else addWildcards(draft, ANYTHING, true);
}

export function finishDraft({ value, glob, splits }: WordDraft, text: string): ShellWord {
  if (value !== undefined) return { text, value, glob: NOTHING, splits };
  return { text, value, glob: glob.length > MAX_GLOB ? ANYTHING : glob, splits };
}

const SLASH = 47;
/** A value that word splitting or globbing can change when it is not quoted. */
const SPLITTABLE = /[\s*?[\]\\~{}]|^$/;
