import { describe, expect, it } from 'vitest';
import { findDifferences, isAllowedLine, makeLines } from './compare-lines.ts';
import { findShells, runsOwnPrograms } from './run-lines.ts';

/** How many lines are made up; more with PARLEY_FUZZ_LINES. */
const LINES = Number(process.env.PARLEY_FUZZ_LINES ?? 50_000);
const SEED = Number(process.env.PARLEY_FUZZ_SEED ?? 20_261_116);
/** More lines take longer. */
const TIMEOUT_MS = 600_000 * Math.max(1, LINES / 50_000);

const shells = findShells(['dash', 'bash', 'busybox']);

function commandOf(name: string): string {
  const path = shells.get(name) ?? name;
  return name === 'busybox' ? `${path} sh` : name === 'bash' ? `${path} --noprofile --norc -p` : path;
}

/** Skips a test, with its reason in the summary, where its lines cannot be run in a shell. */
function whereRecorded(name: string) {
  const skipReason = whyNotRecorded(name);
  return skipReason === undefined ? { skip: false } : { skip: true, meta: { skipReason } };
}

function whyNotRecorded(name: string): string | undefined {
  if (process.platform === 'win32') return 'Windows has no POSIX shells';
  if (!shells.has(name)) return `no ${name} found (apt-get install ${name})`;
  if (runsOwnPrograms(commandOf(name))) return `this ${name} runs programs of its own (apt-get install ${name})`;
  return undefined;
}

describe('a line that is allowed', () => {
  const { anywhere, inBash } = allowedLines();

  it('is one of many, so that the following says something', () => {
    expect(anywhere.length).toBeGreaterThan(300);
    expect(inBash.length).toBeGreaterThan(50);
  });

  for (const name of ['dash', 'bash', 'busybox'])
    it(`runs in ${name} what was seen in it, where it is seen, with the variables that were seen, and writes nothing else`, {
      ...whereRecorded(name),
      timeout: TIMEOUT_MS,
    }, async () => {
      expect(await findDifferences(name, commandOf(name), 'any', anywhere)).toEqual([]);
      if (name === 'bash') expect(await findDifferences(name, commandOf(name), 'bash', inBash)).toEqual([]);
    });
});

function allowedLines(): { readonly anywhere: readonly string[]; readonly inBash: readonly string[] } {
  const lines = makeLines(LINES, SEED);
  const anywhere = lines.filter((line) => isAllowedLine(line, 'sh'));
  const known = new Set(anywhere);
  return { anywhere, inBash: lines.filter((line) => !known.has(line) && isAllowedLine(line, 'bash')) };
}
