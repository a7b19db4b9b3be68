import { describe, expect, it } from 'vitest';
import { findEffects } from './effects.ts';
import { createPreparedFolder } from './prepared-folder.ts';

/** How many lines are made up for each mode; more with PARLEY_FUZZ_LINES. */
const LINES = Number(process.env.PARLEY_FUZZ_LINES ?? 5_000);
const SEED = Number(process.env.PARLEY_FUZZ_SEED ?? 20_261_118);
const onLinux = { skip: process.platform !== 'linux', meta: { skipReason: 'only the programs of Linux were tried' } };

describe('a line that is allowed', onLinux, () => {
  it('changes nothing, prints no secret and runs nothing else with real programs on a disk that somebody prepared', {
    timeout: 600_000,
  }, () => {
    using folder = createPreparedFolder();
    const { allowed, wrong } = findEffects({ folder, seed: SEED, lines: LINES });
    expect(wrong).toEqual([]);
    expect(allowed).toBeGreaterThan(300);
  });
});
