import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages, root } from './repository.ts';

/** Habits of wording that a pattern can find, as counted in `words.json`. */
export const HABITS = ['relative subjects', 'tell', 'is none', 'old words', 'identifiers'] as const;
export type Habit = (typeof HABITS)[number];
export type HabitCounts = Readonly<Record<Habit, number>>;

export interface Prose {
  /** `file:line` */
  readonly place: string;
  readonly text: string;
}

export interface Hit extends Prose {
  readonly habit: Habit;
}

const SUBJECT =
  /^(?:(?:what|who|whoever|whatever|whichever|those|none|such)\b(?!.*\?$)|(?:one|ones) (?:that|which|who|whose|is|was|has|had|may|can|does|would|without|on|in|from|with)\b|that (?:is|was|which|has|had|of|in|on|may|can|would)\b)/i;

const PATTERNS: readonly { readonly habit: Habit; readonly pattern: RegExp }[] = [
  { habit: 'tell', pattern: /\b(?:tell|tells|told|telling)\b/gi },
  { habit: 'is none', pattern: /(?<!\bthere )\b(?:is|are|was|were) (?:none\b|no (?!longer\b|more\b|less\b))/gi },
  {
    habit: 'old words',
    pattern: /\b(?:whoever|whatever|somebody|nobody|thereby|anew|whence|beside(?![.-]\w)|so that also)\b/gi,
  },
];

/** `word` counts only in names of functions: a `wordStart` is a place in a text. */
const PRIVATE_VERBS =
  /\b(?:[tT]ell|[tT]old|hear|say)(?:[A-Z]\w*|\b(?=\())|(?<=\bfunction\*? |\bconst )word[A-Z]\w*(?=[(<]| = (?:async )?\()/g;

/** Texts in which a counted word is the right one. */
const EXCEPTIONS: readonly { readonly text: RegExp; readonly reason: string }[] = [
  { text: /\btell(?:s|ing)?(?: \w+){0,4} apart\b|\btold apart\b/gi, reason: 'English has no shorter word for it' },
];

/** Each place of a package that has one of the habits; an identifier counts once for each file. */
export function findHabits(name: string): Hit[] {
  const { sources, tests } = packages.find((each) => each.name === name) ?? { sources: [], tests: [] };
  return [...sources, ...tests].flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return [...readProse(file, source).flatMap(findInProse), ...findIdentifiers(file, source)];
  });
}

export function countHabits(): Record<string, HabitCounts> {
  return Object.fromEntries(
    packages.map(({ name }) => {
      const hits = findHabits(name);
      const counts = HABITS.map((habit) => [habit, hits.filter((hit) => hit.habit === habit).length]);
      return [name, Object.fromEntries(counts) as HabitCounts];
    }),
  );
}

/** Comments (neighbouring lines joined) and titles of tests. */
export function readProse(file: string, source: string): Prose[] {
  const found = source.matchAll(
    /(?<=^|[\s{(])\/\*\*?([\s\S]*?)\*\/|((?:(?<=^|\s)\/\/ .*(?:\n[ \t]*(?=\/\/ ))?)+)|\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\3,/gm,
  );
  return [...found].map(({ index, 1: block, 2: lines, 4: title }) => ({
    place: `${file}:${source.slice(0, index).split('\n').length}`,
    text: (block?.replace(/^\s*\*/gm, '') ?? lines?.replace(/^\s*\/\//gm, '') ?? title ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
}

function findInProse(prose: Prose): Hit[] {
  const text = EXCEPTIONS.reduce((rest, exception) => rest.replace(exception.text, ''), prose.text);
  const subjects = text.split(/(?<=[.!?:;])\s+/).filter((sentence) => SUBJECT.test(sentence));
  return [
    ...subjects.map((): Hit => ({ ...prose, habit: 'relative subjects' })),
    ...PATTERNS.flatMap(({ habit, pattern }) => [...text.matchAll(pattern)].map((): Hit => ({ ...prose, habit }))),
  ];
}

function findIdentifiers(file: string, source: string): Hit[] {
  const code = source.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm, '').replace(/'[^'\n]*'/g, "''");
  const names = new Set([...code.matchAll(PRIVATE_VERBS)].map(([name]) => name));
  return [...names].map((text) => ({ habit: 'identifiers', place: file, text }));
}
