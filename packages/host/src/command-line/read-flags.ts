import { usageError } from './errors.ts';

/** A word that has to be one of some. */
export function requireChoice<Choice extends string>(flag: string, word: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === word);
  if (found !== undefined) return found;
  throw usageError(`${flag} is one of ${choices.join(', ')}, not "${word}".`);
}

/** A whole number that a flag was given. */
export function readCount(
  flag: string,
  text: string | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (text.trim() !== '' && Number.isInteger(count) && count >= min && count <= max) return count;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw usageError(`${flag} is a whole number ${range}, not "${text}".`);
}

/** A number that a flag was given, from `least` to `most`. */
export function readNumber(
  flag: string,
  text: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= least && value <= most) return value;
  throw usageError(`${flag} is a number from ${least} to ${most}, not "${text}".`);
}

/** For options that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
