import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countHabits, findHabits, HABITS, type HabitCounts, readProse } from './habits.ts';
import { filesOfPackages, root } from './repository.ts';

/** Nicknames that once stood for a queue, a table or an owner; docs/glossary.md has the words to use. */
const NICKNAMES = /breath|shelf|shelves|desk(?!top)|keeper|workings|open-?ends|stash|passage|forgettable|errand/i;

const UPDATE = 'PARLEY_UPDATE_WORDS=1 npx vitest run --project unit test/architecture/words.test.ts';
const COUNTS = join(root, 'test/architecture/words.json');

describe('names', () => {
  it('of files are words that a stranger would search for', () => {
    expect(filesOfPackages.filter((file) => NICKNAMES.test(basename(file)))).toEqual([]);
  });

  it('of types, classes, functions and constants are words that a stranger would search for', () => {
    const named = filesOfPackages.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(
        /^(?:export )?(?:abstract |async )?(?:class|interface|type|function\*?|const) (\w+)/gm,
      );
      return [...found].map(([, name = '']) => `${file}: ${name}`);
    });
    expect(named.filter((each) => NICKNAMES.test(each.slice(each.indexOf(':'))))).toEqual([]);
  });
});

describe('habits of wording (style: plain English)', () => {
  it('only become rarer, package by package', () => {
    const allowed = JSON.parse(readFileSync(COUNTS, 'utf8')) as Record<string, HabitCounts>;
    const counted = countHabits();
    const changes = Object.entries(counted).flatMap(([name, counts]) =>
      HABITS.map((habit) => ({ name, habit, from: allowed[name]?.[habit] ?? 0, to: counts[habit] })),
    );
    const risen = changes.filter(({ from, to }) => to > from);
    const places = risen.flatMap(({ name, habit }) => findHabits(name).filter((hit) => hit.habit === habit));
    expect(
      risen.map(describeChange),
      `Reword one of:\n${places.map(({ place, text }) => `${place} ${text}`).join('\n')}\n`,
    ).toEqual([]);
    if (process.env.PARLEY_UPDATE_WORDS) {
      writeFileSync(COUNTS, `${JSON.stringify(counted, undefined, 2)}\n`);
      return;
    }
    expect(changes.filter(({ from, to }) => to < from).map(describeChange), `Lower the counts: ${UPDATE}`).toEqual([]);
  });

  it('are looked for in comments and in titles of tests', () => {
    const source = [
      '/** What is sent. */',
      'export const url = "https://example.org"; // Told',
      '  // to the',
      '  // client.',
      "it('sends', () => {});",
    ].join('\n');
    expect(readProse('a.ts', source)).toEqual([
      { place: 'a.ts:1', text: 'What is sent.' },
      { place: 'a.ts:2', text: 'Told to the client.' },
      { place: 'a.ts:5', text: 'sends' },
    ]);
  });
});

function describeChange({ name, habit, from, to }: { name: string; habit: string; from: number; to: number }): string {
  return `${name}: ${habit} ${from} -> ${to}`;
}
