import { usageError } from '../errors.ts';

/** A word that has to be one of some. */
export function requireChoice<Choice extends string>(flag: string, word: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === word);
  if (found !== undefined) return found;
  throw usageError(`${flag} is one of ${choices.join(', ')}, not "${word}".`);
}
