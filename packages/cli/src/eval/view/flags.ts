import { usageError } from '../../errors.ts';

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
