import type { DialectName } from '@parley/dialects';
import { INVALID, v1 } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf, definitionsOf } from './arbitrary.ts';
import { defaultParams, type Json } from './border.ts';
import {
  carryRequest,
  carryResult,
  drop,
  isLostUpdate,
  meaning,
  openPair,
  wire,
  withoutKeptFacts,
  writeResult,
} from './round-trip.ts';

const DIALECTS: readonly DialectName[] = ['harness', 'overview', 'go', 'elephant', 'pharo', 'canonical'];
const SETTINGS = { numRuns: Number(process.env.PARLEY_DIALECT_RUNS ?? 25), seed: 20_261_115 } as const;

/** Methods that a dialect has no words for: none of their messages arrives. */
const NOT_CARRIED: Readonly<Record<string, readonly string[]>> = {
  harness: ['session/set_mode', 'session/set_config_option'],
  overview: ['session/set_mode', 'session/set_config_option'],
  go: ['session/set_mode', 'session/set_config_option'],
  elephant: ['session/set_config_option'],
  pharo: ['session/close'],
};
const isCarried = (dialect: string, method: string): boolean => !NOT_CARRIED[dialect]?.includes(method);

const REQUESTS = definitionsOf('Request');
const RESULTS = definitionsOf('Response');

/** Valid values of a type: the schema cannot say everything that the validators check. */
function valid(name: string, method: string, part: 'params' | 'result'): fc.Arbitrary<Json> {
  const spec = v1.requestSpec(method);
  const validator = part === 'params' ? (spec?.params ?? v1.notificationSpec(method)?.params) : spec?.result;
  return arbitraryOf(name)
    .map((value) => wire(value) as Json)
    .filter((value) => validator?.(value) !== INVALID);
}

const isFromClient = (method: string): boolean => v1.requestSpec(method)?.receiver === 'agent';

/** A few updates of one turn; each tool call begins once. */
const updates: fc.Arbitrary<Json[]> = fc
  .array(valid('SessionNotification', 'session/update', 'params'), { minLength: 1, maxLength: 4 })
  .map((list) =>
    list.map(({ update, ...params }, index) => {
      const { sessionUpdate, toolCallId } = update as Json;
      const isCall = sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
      const id =
        sessionUpdate === 'tool_call'
          ? `call-${index}`
          : index > 0 && toolCallId !== ''
            ? `call-${index - 1}`
            : 'unseen';
      return { ...params, sessionId: 's', update: { ...(update as Json), ...(isCall ? { toolCallId: id } : {}) } };
    }),
  );

describe.each(DIALECTS)('canonical -> %s -> canonical', (dialect) => {
  it.each(REQUESTS)('keeps the params of $method', ({ method, name }) => {
    fc.assert(
      fc.property(valid(name, method, 'params'), (params) => {
        const { client, agent } = openPair(dialect);
        const [from, to] = isFromClient(method) ? [client, agent] : [agent, client];
        const arrived = carryRequest(from, to, { jsonrpc: '2.0', id: 1, method, params });
        if (!isCarried(dialect, method)) expect(arrived).toBeUndefined();
        // Some values have no words in a dialect.
        if (arrived === undefined) return;
        expect(arrived).toMatchObject({ jsonrpc: '2.0', id: 1, method });
        expect(meaning(dialect, method, 'params', arrived.params)).toEqual(meaning(dialect, method, 'params', params));
      }),
      SETTINGS,
    );
  });

  it.each(RESULTS)('keeps the result of $method', ({ method, name }) => {
    fc.assert(
      fc.property(valid(name, method, 'result'), (result) => {
        const { client, agent } = openPair(dialect);
        const [asks, answers] = isFromClient(method) ? [client, agent] : [agent, client];
        const params = defaultParams(method);
        const carried = carryRequest(asks, answers, { jsonrpc: '2.0', id: 1, method, params });
        expect(carried !== undefined).toBe(isCarried(dialect, method));
        if (carried === undefined) return;
        const arrived = carryResult(answers, asks, { jsonrpc: '2.0', id: 1, result }).find(({ id }) => id === 1);
        expect(meaning(dialect, method, 'result', arrived?.result)).toEqual(meaning(dialect, method, 'result', result));
      }),
      SETTINGS,
    );
  });

  it('keeps updates, in order', () => {
    fc.assert(
      fc.property(updates, (list) => {
        const { client, agent } = openPair(dialect);
        for (const params of list) {
          const written = agent.write({ jsonrpc: '2.0', method: 'session/update', params });
          const [arrived, ...more] = written.flatMap((foreign) => client.read(wire(foreign))) as Json[];
          expect(more).toEqual([]);
          if (isLostUpdate(dialect, params.update as Json)) {
            expect(arrived).toBeUndefined();
            continue;
          }
          const before = meaning(dialect, 'session/update', 'params', params) as Json;
          const after = meaning(dialect, 'session/update', 'params', arrived?.params) as Json;
          if (dialect === 'harness' && (params.update as Json).title === 'Read') {
            expect(drop(after.update as Json, ['name', 'kind'])).toEqual(drop(before.update as Json, ['name', 'kind']));
          } else expect(after).toEqual(before);
        }
      }),
      { ...SETTINGS, numRuns: SETTINGS.numRuns * 10 },
    );
  });
});

/** Messages as a peer would write them that has never heard of us: nothing rides along in `_meta`. */
describe.each(DIALECTS)('%s -> canonical -> the same again', (dialect) => {
  it.each(REQUESTS)('keeps the params of $method', ({ method, name }) => {
    fc.assert(
      fc.property(valid(name, method, 'params'), (params) => {
        const [native] = openPair(dialect)
          .client.write({ jsonrpc: '2.0', id: 1, method, params })
          .map(withoutKeptFacts);
        const [read] = native === undefined ? [] : openPair(dialect).agent.read(native);
        if (!isCarried(dialect, method)) expect(read).toBeUndefined();
        if (read === undefined) return;
        v1.parseParams(method as never, (read as Json).params);
        expect(withoutKeptFacts(openPair(dialect).client.write(read))).toEqual([native]);
      }),
      SETTINGS,
    );
  });

  it.each(RESULTS)('keeps the result of $method', ({ method, name }) => {
    fc.assert(
      fc.property(valid(name, method, 'result'), (result) => {
        const [there, back] = [openPair(dialect), openPair(dialect)];
        const request = { jsonrpc: '2.0', id: 1, method, params: defaultParams(method) };
        const carried = carryRequest(there.client, there.agent, request);
        expect(carried !== undefined).toBe(isCarried(dialect, method));
        if (carried === undefined) return;
        carryRequest(back.client, back.agent, request);
        const native = writeResult(there.agent, { jsonrpc: '2.0', id: 1, result }).map(withoutKeptFacts);
        const read = native.flatMap((message) => there.client.read(message)) as Json[];
        v1.parseResult(method as never, read.find(({ id }) => id === 1)?.result);
        const written = read.flatMap((message) => writeResult(back.agent, message));
        expect(withoutKeptFacts(written).filter(({ id }) => id === 1)).toEqual(native.filter(({ id }) => id === 1));
      }),
      SETTINGS,
    );
  });

  it('keeps updates, in order', () => {
    fc.assert(
      fc.property(updates, (list) => {
        const [there, back] = [openPair(dialect), openPair(dialect)];
        for (const params of list) {
          const native = there.agent.write({ jsonrpc: '2.0', method: 'session/update', params }).map(withoutKeptFacts);
          const read = native.flatMap((message) => there.client.read(message)) as Json[];
          for (const message of read) v1.parseParams('session/update', message.params);
          expect(withoutKeptFacts(read.flatMap((message) => back.agent.write(message)))).toEqual(native);
        }
      }),
      { ...SETTINGS, numRuns: SETTINGS.numRuns * 10 },
    );
  });
});
