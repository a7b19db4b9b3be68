import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closest } from './closest.ts';
import { changedLines } from './output/changed-lines.ts';
import { VERSION } from './version.ts';

describe('what a person may have meant', () => {
  const commands = ['exec', 'prompt', 'sessions', 'status', 'set', 'inspect'];
  it.each([
    ['exce', ['exec']],
    ['promt', ['prompt']],
    ['sess', ['sessions']],
    ['xyz', []],
    ['', []],
  ])('is found for %s', (word, expected) => {
    expect(closest(word, commands)).toEqual(expected);
  });

  it('is nothing for a text that is no word', () => {
    expect(closest('x'.repeat(10_000), commands)).toEqual([]);
  });
});

describe('the changed part of a text', () => {
  it.each([
    ['a\nb\nc\n', 'a\nx\nc\n', { removed: ['b'], added: ['x'], firstLine: 2 }],
    ['', 'new\n', { removed: [], added: ['new'], firstLine: 1 }],
    ['gone\n', '', { removed: ['gone'], added: [], firstLine: 1 }],
    ['a\na\n', 'a\na\na\n', { removed: [], added: ['a'], firstLine: 3 }],
    ['same', 'same', { removed: [], added: [], firstLine: 2 }],
  ])('of %j and %j', (before, after, expected) => {
    expect(changedLines(before, after)).toEqual(expected);
  });
});

it('says the version that package.json has', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});
