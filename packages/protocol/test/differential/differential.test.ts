import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INVALID, takeProblem, type Validator, validators as v1 } from '@parley/protocol';
import { validators as v1Unstable } from '@parley/protocol/unstable';
import { validators as v2 } from '@parley/protocol/v2';
import { validators as v2Unstable } from '@parley/protocol/v2/unstable';
import { createRandom, mutate } from '@parley/testing/mutations';
import { describe, expect, it } from 'vitest';
import { findDifference } from './compare.ts';
import { createSampler, type Definitions } from './samples.ts';

interface ZodSchema {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false };
}

/** Mutated messages per run; PARLEY_FUZZ_RUNS asks for more. The seed is fixed, so a failure repeats. */
const RUNS = Number(process.env.PARLEY_FUZZ_RUNS ?? 120_000);
const SEED = Number(process.env.PARLEY_FUZZ_SEED ?? 20_261_115);

const sdk = join(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk'), '../../../..');

const VERSIONS = [
  { name: 'v1', schema: 'v1/schema.json', zod: 'v1/schema', validators: v1 },
  { name: 'v1 unstable', schema: 'v1/schema.unstable.json', zod: 'v1/unstable/schema', validators: v1Unstable },
  { name: 'v2', schema: 'v2/schema.json', zod: 'v2/schema', validators: v2 },
  { name: 'v2 unstable', schema: 'v2/schema.unstable.json', zod: 'v2/unstable/schema', validators: v2Unstable },
];

describe.each(VERSIONS)('$name validators and the SDK’s parsers', ({ schema, zod, validators }) => {
  const definitions = (JSON.parse(readFileSync(join(sdk, 'schema', schema), 'utf8')) as { $defs: Definitions }).$defs;
  const table = validators as Readonly<Record<string, Validator<unknown>>>;
  const names = Object.keys(table);
  const messages = names.filter((name) => definitions[name]?.['x-method'] !== undefined);

  it('cover every request, response and notification of the schema', () => {
    const expected = Object.keys(definitions).filter((name) => definitions[name]?.['x-method'] !== undefined);
    expect(messages.toSorted()).toEqual(expected.toSorted());
  });

  it('agree on valid and on damaged values', { timeout: 600_000 }, async () => {
    const theirs = (await import(pathToFileURL(join(sdk, 'dist', zod, 'zod.gen.js')).href)) as Record<
      string,
      ZodSchema
    >;
    const random = createRandom(SEED);
    const sample = createSampler(definitions, random);
    const words = wordsOf(definitions);
    const counts = { accepted: 0, repaired: 0, rejected: 0 };

    for (let run = 0; run < RUNS / VERSIONS.length; run++) {
      // Half of the values are whole messages; the other half are any type, so that small ones are not starved.
      const name = run % 2 === 0 ? (messages[(run / 2) % messages.length] ?? '') : random.pick(names);
      const input = deepFreeze(run % 20 === 0 ? sample(name) : mutate(sample(name), random, words));
      const parser = theirs[`z${name}`];
      const validator = table[name];
      if (parser === undefined || validator === undefined) throw new Error(`No parser for ${name}`);

      const ours = validator(input);
      const result = parser.safeParse(input);
      if (result.success !== (ours !== INVALID)) {
        const because = ours === INVALID ? JSON.stringify(takeProblem()) : 'accepted by us';
        throw new Error(`${name}: the verdicts differ (${because}) on ${JSON.stringify(input)}`);
      }
      if (!result.success) {
        counts.rejected++;
        continue;
      }
      const difference = findDifference(ours, result.data, input);
      if (difference !== undefined) throw new Error(`${name}: ${difference} for ${JSON.stringify(input)}`);
      counts[ours === input ? 'accepted' : 'repaired']++;
    }

    // Each of the three outcomes is common, or the test would say little.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(RUNS / VERSIONS.length / 20);
  });
});

/** The names and tags of the schema: what a mutation should put where it does not belong. */
function wordsOf(definitions: Definitions): string[] {
  const words = new Set<string>();
  JSON.stringify(definitions, (key, value: unknown) => {
    if (key === 'const' && typeof value === 'string') words.add(value);
    if (key === 'properties') for (const name of Object.keys(value as object)) words.add(name);
    return value;
  });
  return [...words];
}

/** A validator that changed its input would throw. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.keys(value)) deepFreeze(Object.getOwnPropertyDescriptor(value, key)?.value);
  return Object.freeze(value);
}
