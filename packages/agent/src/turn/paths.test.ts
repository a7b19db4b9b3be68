import { expect, it } from 'vitest';
import { toAbsolutePath } from './paths.ts';

it.each([
  ['/proj', 'a.ts', '/proj/a.ts'],
  ['/proj/', './a/../b.ts', '/proj/b.ts'],
  ['/proj', '../../..', '/'],
  ['/', 'a', '/a'],
  ['/proj', '/abs', '/abs'],
  ['/proj', 'C:\\abs', 'C:\\abs'],
  ['C:\\work', 'src/a.ts', 'C:\\work\\src\\a.ts'],
  ['C:\\work', '..\\..\\..', 'C:\\'],
  ['\\\\server\\share', 'a', '\\\\server\\share\\a'],
])('from %s, %s is %s', (cwd, path, absolute) => {
  expect(toAbsolutePath(cwd, path)).toBe(absolute);
});
