import { join } from 'node:path';
import { findHome } from '@parley/host/places';
import { expect, it } from 'vitest';
import { resolvePath } from './paths.ts';

it("takes ~ for the person's home, and only where it is one", () => {
  const home = findHome() ?? '';
  expect(resolvePath('~', '/w')).toBe(home);
  expect(resolvePath('~/a/../b', '/w')).toBe(join(home, 'b'));
  expect(resolvePath('./~/a', '/w')).toBe('/w/~/a');
  expect(resolvePath('~a', '/w')).toBe('/w/~a');
});
