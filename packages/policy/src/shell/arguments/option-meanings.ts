import type { OptionMeaning } from './profile.ts';

export const SWITCH: OptionMeaning = {};
export const TEXT: OptionMeaning = { value: 'text' };
export const READ: OptionMeaning = { value: 'read' };
/** A file that a program writes besides its real work: like a redirect, and like one not covered by a `*`. */
export const WRITE: OptionMeaning = { value: 'write', isBesides: true };
/** A file or folder that a program writes because that is what it is for. */
export const TARGET: OptionMeaning = { value: 'write' };
export const TREE: OptionMeaning = { isTree: true };
/** Everything below, also behind links. */
export const FOLLOWS: OptionMeaning = { isTree: true, follows: true };
/** A file, or the input, that holds the names of files. */
export const NAMES: OptionMeaning = { value: 'read', danger: 'takes the names of its files from a list' };
/** A file that is read for settings. */
export const READS_SETTINGS: OptionMeaning = { value: 'read', danger: 'loads code or settings from elsewhere' };
export const RUNS: OptionMeaning = { value: 'text', danger: 'runs another program' };
export const CODE: OptionMeaning = { value: 'text', danger: 'runs code given on the line' };
export const LOADS: OptionMeaning = { value: 'touch', danger: 'loads code or settings from elsewhere' };

/** A switch that a `*` does not cover. */
export function flag(danger: string): OptionMeaning {
  return { danger };
}

/** The same meaning for several options: `each('-o --output', WRITE)`. */
export function each(names: string, meaning: OptionMeaning): Record<string, OptionMeaning> {
  return Object.fromEntries(names.split(' ').map((name) => [name, meaning]));
}

/** Options that change nothing about a permission: `switches('-abc --all')` lists `-a`, `-b`, `-c` and `--all`. */
export function switches(names: string): Record<string, OptionMeaning> {
  const each = names
    .split(' ')
    .flatMap((name) => (name.startsWith('--') ? [name] : [...name.slice(1)].map((letter) => `-${letter}`)));
  return Object.fromEntries(each.map((name) => [name, SWITCH]));
}

/** As `switches`, for programs whose long options have one dash. */
export function words(names: string): Record<string, OptionMeaning> {
  return Object.fromEntries(names.split(' ').map((name) => [name, SWITCH]));
}
