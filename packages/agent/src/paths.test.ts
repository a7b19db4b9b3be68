import { expect, it } from 'vitest';
import { toAbsolutePath } from './paths.ts';

it.each([
  ['/work', 'a.ts', '/work/a.ts'],
  ['/work/', './a/../b.ts', '/work/b.ts'],
  ['/work', '../../..', '/'],
  ['/', 'a', '/a'],
  ['/work', '/abs', '/abs'],
  ['/work', 'C:\\abs', 'C:\\abs'],
  ['C:\\work', 'src/a.ts', 'C:\\work\\src\\a.ts'],
  ['C:\\work', '..\\..\\..', 'C:\\'],
  ['\\\\server\\share', 'a', '\\\\server\\share\\a'],
])('from %s, %s is %s', (cwd, path, absolute) => {
  expect(toAbsolutePath(cwd, path)).toBe(absolute);
});
