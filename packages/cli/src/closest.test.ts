import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closest } from './closest.ts';
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

it('says the version that package.json has', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});
