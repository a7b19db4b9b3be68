import { describe, expect, it } from 'vitest';
import { createGlob } from './glob.ts';

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['./src/a.ts', 'src/a.ts', true],
    ['/src/a.ts', 'src/a.ts', true],
    ['**/test/**', 'a/test/b/c.ts', true],
    ['**/test/**', 'a/tests/b', false],
    ['*.{ts,tsx}', 'a/b.tsx', true],
    ['{src,test}/**/*.{js,ts}', 'test/a/b.js', true],
    ['{src,test}/**/*.{js,ts}', 'lib/a.js', false],
    ['{a{b,c},d}.md', 'ac.md', true],
    ['file?.txt', 'file1.txt', true],
    ['file?.txt', 'file.txt', false],
    ['[a-c]*.[jt]s', 'boo.ts', true],
    ['[!a-c]*', 'boo.ts', false],
    ['[^a]x', 'bx', true],
    ['a[b', 'a[b', true],
    ['a{b', 'a{b', true],
    ['a.b', 'axb', false],
    ['(a|b)+', '(a|b)+', true],
    ['dir', 'x/dir/', true],
    ['*', '.hidden', true],
  ])('%s and %s: %s', (glob, path, fits) => {
    expect(createGlob(glob)(path)).toBe(fits);
  });

  it('comes to an end where a regular expression would take years', () => {
    const fits = createGlob(`${'*a'.repeat(40)}b`);
    expect(fits('a'.repeat(4000))).toBe(false);
    expect(createGlob(`${'**/'.repeat(40)}x`)(`${'a/'.repeat(1000)}y`)).toBe(false);
    expect(createGlob('{a,b}'.repeat(40))('a'.repeat(40))).toBe(true);
  });
});
