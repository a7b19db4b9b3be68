import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { INVALID, keepCustomContent, takeProblem, validators } from '@parley/protocol';
import { v2 } from '@parley/protocol/v2';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../src/event.ts';
import { eventFromV1, eventToV1, unstableEventFromV1 } from '../src/index.ts';
import { applyEvent } from '../src/transcript/apply-event.ts';
import { createTranscript, type Transcript } from '../src/transcript/transcript.ts';
import { eventFromV2, eventToV2, TerminalTexts } from '../src/v2/index.ts';
import { anyEvent } from './any-event.ts';
import { applyRules, REMEMBERING_V1, REMEMBERING_V2, REWORDED_V1, V1_RULES, V2_RULES } from './version-rules.ts';

const events = fc.array(anyEvent, { maxLength: 25 });
const RUNS = { seed: 17, numRuns: 400 } as const;

/** Folds what the hearer of each event hears. */
function fold(
  happened: readonly SessionEvent[],
  hear: (event: SessionEvent, told: Transcript) => readonly SessionEvent[],
): unknown {
  const transcript = happened.reduce(
    (told, event) => hear(event, told).reduce((before, each) => applyEvent(before, each), told),
    createTranscript(),
  );
  const { folding: _, ...rest } = transcript;
  return JSON.parse(JSON.stringify(rest, (_key, value) => (isList(value) ? [...value] : value)));
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
}

function throughWire(update: unknown): unknown {
  return JSON.parse(JSON.stringify({ sessionId: 's', update }));
}

/** As a client of version 1 reads it. */
function readV1(update: unknown): SessionEvent {
  const params = throughWire(update) as { readonly update: Record<string, unknown> };
  const valid = keepCustomContent(validators.SessionNotification, params);
  if (valid !== INVALID) return eventFromV1(valid.update);
  expect(takeProblem()).toMatchObject({ kind: 'variant', path: ['update', 'sessionUpdate'] });
  const { update: raw } = params;
  return unstableEventFromV1(raw) ?? { type: 'unknown', variant: String(raw.sessionUpdate), raw };
}

/** What a client of version 1 hears; the agent's peer remembers what it told. */
function foldV1(happened: readonly SessionEvent[]): unknown {
  const known = new Set<string>();
  return fold(happened, (event, told) =>
    applyRules({ ...REMEMBERING_V1, ...REWORDED_V1 }, event, told).flatMap((each) => {
      const isNew = each.type === 'tool_call' && !known.has(each.toolCallId);
      if (each.type === 'tool_call') known.add(each.toolCallId);
      const update = eventToV1(each, isNew);
      return update ? [readV1(update)] : [];
    }),
  );
}

/** What a client of version 2 hears; the agent's peer gives ids to messages that have none. */
function foldV2(happened: readonly SessionEvent[]): unknown {
  const terminals = new TerminalTexts();
  const sameTerminals = new TerminalTexts();
  return fold(happened, (event, told) =>
    applyRules(REMEMBERING_V2, event, told).flatMap((each) => {
      const update = eventToV2(each);
      if (!update) return [];
      const params = throughWire(update);
      const read = eventFromV2(v2.parseParams('session/update', params).update, terminals);
      // What is unstable has a schema of its own, which must take the same.
      const unstable = v2Unstable.parseParams('session/update', params).update as typeof update;
      expect(eventFromV2(unstable, sameTerminals)).toEqual(read);
      return [read];
    }),
  );
}

const VERSIONS = [
  { version: 1, rules: V1_RULES, hear: foldV1 },
  { version: 2, rules: V2_RULES, hear: foldV2 },
] as const;

const CASES = VERSIONS.flatMap((each) => Object.keys(each.rules).map((name) => ({ ...each, name })));

describe('any events, written and read back', () => {
  it.each(VERSIONS)('in version $version give the same transcript, but for what it cannot say', ({ rules, hear }) => {
    fc.assert(
      fc.property(events, (happened) => {
        expect(hear(happened)).toEqual(fold(happened, (event, told) => applyRules(rules, event, told)));
      }),
      RUNS,
    );
  });

  it.each(CASES)('in version $version are not the same without the rule for $name', ({ rules, hear, name }) => {
    const { [name]: _, ...others } = rules;
    const isSame = fc.property(events, (happened) =>
      isDeepStrictEqual(
        hear(happened),
        fold(happened, (event, told) => applyRules(others, event, told)),
      ),
    );
    expect(fc.check(isSame, { ...RUNS, endOnFailure: true }).failed).toBe(true);
  });

  it('lose only what docs/concepts/protocol-versions.md lists', () => {
    const document = readFileSync(new URL('../../../docs/concepts/protocol-versions.md', import.meta.url), 'utf8');
    const listed = [...document.matchAll(/^\| `([a-z-]+)` \| ([12]) \|/gm)].map(
      ([, name, version]) => `${version} ${name}`,
    );
    expect(listed).toEqual(CASES.map(({ version, name }) => `${version} ${name}`));
  });
});
