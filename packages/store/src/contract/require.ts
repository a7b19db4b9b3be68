import { quote, StoreError } from './errors.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

/** NUL ends a text in SQLite, and half a surrogate pair has no UTF-8; neither may silently change a name. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

export function requireName(what: string, value: string): string {
  if (typeof value !== 'string') throw new StoreError('invalid_input', `${what} must be a text, not ${typeof value}.`);
  if (value === '') throw new StoreError('invalid_input', `${what} must not be empty.`);
  if (value.length > MAX_NAME_LENGTH) {
    throw new StoreError(
      'invalid_input',
      `${what} is longer than ${MAX_NAME_LENGTH} characters; choose a shorter one.`,
    );
  }
  if (UNSTORABLE.test(value)) {
    throw new StoreError(
      'invalid_input',
      `${what} must not contain NUL or half a surrogate pair, as ${quote(value)} does.`,
    );
  }
  return value;
}

export function requireCount(what: string, value: number): number {
  // Adding 0 makes 0 of -0, which JSON and databases do not tell apart.
  if (Number.isSafeInteger(value) && value >= 0) return value + 0;
  throw new StoreError('invalid_input', `${what} must be a whole number from 0 on, not ${value}.`);
}

export function requireEpoch(epoch: number | undefined): number | undefined {
  return epoch === undefined ? undefined : requireCount('An epoch', epoch);
}

/** Checks the options that are whole numbers from 1 on; those left out are not looked at. */
export function requireWholeNumbers<Name extends string>(
  what: string,
  options: { readonly [Key in Name]?: number | undefined },
  names: readonly Name[],
): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) continue;
    throw new StoreError('invalid_input', `${what} needs a whole number from 1 on as ${name}, not ${value}.`);
  }
}
