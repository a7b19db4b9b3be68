import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The rules that bind an agent, of either version, by their numbers in the list of conformance rules. */
const RULES = [
  ...[3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
  ...[27, 29, 30, 31, 33, 34, 35, 37, 38, 39, 40, 41, 42, 44, 47, 48],
  ...[50, 51, 52, 53, 54, 55, 56, 58, 59, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 74],
  ...[75, 76, 77, 78, 79, 80, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 95, 96, 97],
  ...[98, 101, 102, 104, 106, 109, 110, 114, 115, 117, 119, 120, 122, 123, 124, 125, 126],
  ...[127, 136, 138, 139, 142, 143, 144, 145, 146, 147],
];

it('every rule that binds an agent has a test that names it', () => {
  const folders = ['.', '..', '../v2', '../../src'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const tests = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts') && name !== 'rules.test.ts')
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const named = new Set(tests.flatMap((text) => [...text.matchAll(/'rule (\d+): /g)].map((match) => Number(match[1]))));
  expect(RULES.filter((rule) => !named.has(rule))).toEqual([]);
  expect([...named].filter((rule) => !RULES.includes(rule))).toEqual([]);
});
