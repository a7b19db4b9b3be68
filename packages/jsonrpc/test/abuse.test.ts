import { createMemoryPair } from '@parley/transports/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConnection, type Message } from '../src/index.ts';

/** What a hostile value must be answered with: nothing, or an error of this code under this id. */
type Expected = null | { readonly code: number; readonly id: unknown };
interface Case {
  readonly name: string;
  readonly value: unknown;
  readonly expected: Expected;
  /** Set when the value is strange but valid: the request must be answered with this. */
  readonly result?: unknown;
}

const NOT_OBJECTS = [null, true, false, 0, 1, -1, 1.5, 1e308, '', 'x', 'initialize', '\u0000', '💥'];
const BATCHES = [[], [1], [null], [[]], [{}], [{ jsonrpc: '2.0', id: 1, method: 'ping' }], Array(1000).fill({})];
const BAD_IDS = [true, false, {}, [], { $: 1 }, [1], ['a'], 2 ** 53, -(2 ** 60)];
const GOOD_IDS = [1, 0, -7, 2 ** 53 - 1, 1.5, 'a', '', '__proto__', 'constructor', null];
const BAD_METHODS = [1, 0, null, true, {}, [], ['ping'], 1.5];
const BAD_VERSIONS = [undefined, null, '1.0', '2', 2, 2.0, '2.0 ', {}, [], true];
const UNKNOWN_METHODS = [
  '',
  ' ',
  'nope',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '_vendor/x',
  '$/x',
  'ping ',
  'PING',
  'a/'.repeat(500),
  '\u0000',
  'rpc.discover',
  'session/update\n',
];
const BAD_PARAMS = ['x', '', 0, 1, true, false];
const STRANGE_ERRORS = [null, 1, 'x', {}, [], { code: 'x' }, { code: 1.5 }, { code: 1 }, { message: 'm' }];

const nested = (depth: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < depth; level++) value = { a: [value] };
  return value;
};
const HOSTILE_PARAMS: readonly { name: string; params: unknown }[] = [
  { name: 'params nested 2,000 deep', params: nested(1000) },
  { name: 'a __proto__ key', params: JSON.parse('{"__proto__":{"polluted":true}}') },
  { name: 'a constructor key', params: { constructor: { prototype: { polluted: true } } } },
  { name: 'a then key', params: JSON.parse('{"then":"not a promise"}') },
  { name: 'a toJSON key', params: { toJSON: 'not a function' } },
  { name: 'array params', params: [1, 2, 3] },
  { name: 'null params', params: null },
  { name: '10,000 keys', params: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])) },
  { name: 'a string of 1 MB', params: { text: 'x'.repeat(1 << 20) } },
  { name: 'lone surrogates', params: { text: '\ud800' } },
  { name: 'an id inside params', params: { id: 8, method: 'nope', jsonrpc: '1.0' } },
];

const refused = (id: unknown = null): Expected => ({ code: -32600, id });

const CASES: readonly Case[] = [
  ...NOT_OBJECTS.map((value) => ({ name: `the scalar ${JSON.stringify(value)}`, value, expected: refused() })),
  ...BATCHES.map((value) => ({
    name: `a batch of ${value.length}: ${JSON.stringify(value).slice(0, 40)}`,
    value,
    expected: refused(),
  })),
  ...[
    {},
    { jsonrpc: '2.0' },
    { params: {} },
    { jsonrpc: '2.0', params: {} },
    { foo: 1 },
    JSON.parse('{"__proto__":{"method":"ping"}}'),
  ].map((value) => ({
    name: `an object that is no message: ${JSON.stringify(value)}`,
    value,
    expected: refused(),
  })),
  ...BAD_IDS.flatMap((id) =>
    ['ping', 'nope'].map((method) => ({
      name: `${method} with the id ${JSON.stringify(id)}`,
      value: { jsonrpc: '2.0', id, method },
      expected: refused(),
    })),
  ),
  ...BAD_METHODS.flatMap((method) =>
    [undefined, 1, 'a'].map((id) => ({
      name: `the method ${JSON.stringify(method)} with the id ${JSON.stringify(id)}`,
      value: { jsonrpc: '2.0', id, method },
      expected: refused(),
    })),
  ),
  ...BAD_VERSIONS.flatMap((jsonrpc) =>
    [undefined, 1, 'a'].map((id) => ({
      name: `the version ${JSON.stringify(jsonrpc)} with the id ${JSON.stringify(id)}`,
      value: { jsonrpc, id, method: 'ping' },
      expected: refused(id ?? null),
    })),
  ),
  ...UNKNOWN_METHODS.flatMap((method) => [
    {
      name: `a request for ${JSON.stringify(method.slice(0, 20))}`,
      value: { jsonrpc: '2.0', id: 5, method },
      expected: { code: -32601, id: 5 },
    },
    {
      name: `a notification ${JSON.stringify(method.slice(0, 20))}`,
      value: { jsonrpc: '2.0', method },
      expected: null,
    },
  ]),
  ...GOOD_IDS.map((id) => ({
    name: `an unknown method under ${JSON.stringify(id)}`,
    value: { jsonrpc: '2.0', id, method: 'nope' },
    expected: { code: -32601, id },
  })),
  ...BAD_PARAMS.map((params) => ({
    name: `params ${JSON.stringify(params)}`,
    value: { jsonrpc: '2.0', id: 6, method: 'ping', params },
    expected: { code: -32602, id: 6 },
  })),
  ...BAD_PARAMS.map((params) => ({
    name: `a notification with params ${JSON.stringify(params)}`,
    value: { jsonrpc: '2.0', method: 'note', params },
    expected: null,
  })),
  ...GOOD_IDS.flatMap((id) => [
    {
      name: `an unsolicited result for ${JSON.stringify(id)}`,
      value: { jsonrpc: '2.0', id, result: {} },
      expected: null,
    },
    {
      name: `an unsolicited error for ${JSON.stringify(id)}`,
      value: { jsonrpc: '2.0', id, error: { code: 1, message: 'm' } },
      expected: null,
    },
  ]),
  ...BAD_IDS.map((id) => ({
    name: `a result for the id ${JSON.stringify(id)}`,
    value: { jsonrpc: '2.0', id, result: 1 },
    expected: null,
  })),
  ...STRANGE_ERRORS.map((error) => ({
    name: `the error ${JSON.stringify(error)}`,
    value: { jsonrpc: '2.0', id: 99, error },
    expected: null,
  })),
  ...HOSTILE_PARAMS.map(({ name, params }) => ({
    name: `ping with ${name}`,
    value: { jsonrpc: '2.0', id: 8, method: 'ping', params },
    expected: null,
    result: 'pong',
  })),
  {
    name: 'both a result and an error',
    value: { jsonrpc: '2.0', id: 99, result: 1, error: { code: 1, message: 'm' } },
    expected: null,
  },
  { name: 'an id and nothing else', value: { jsonrpc: '2.0', id: 99 }, expected: null },
  { name: 'a result without an id', value: { jsonrpc: '2.0', result: 1 }, expected: null },
  { name: 'an error without an id', value: { jsonrpc: '2.0', error: { code: 1, message: 'm' } }, expected: null },
  {
    name: 'a handler that throws a string',
    value: { jsonrpc: '2.0', id: 7, method: 'throws-string' },
    expected: { code: -32603, id: 7 },
  },
  {
    name: 'a handler that throws null',
    value: { jsonrpc: '2.0', id: 7, method: 'throws-null' },
    expected: { code: -32603, id: 7 },
  },
  {
    name: 'a handler that rejects',
    value: { jsonrpc: '2.0', id: 7, method: 'rejects' },
    expected: { code: -32603, id: 7 },
  },
  { name: 'a notification handler that throws', value: { jsonrpc: '2.0', method: 'note-throws' }, expected: null },
  { name: 'a notification handler that rejects', value: { jsonrpc: '2.0', method: 'note-rejects' }, expected: null },
];

function openTarget(): { send: (value: unknown) => void; answers: () => Promise<unknown[]> } {
  const [near, far] = createMemoryPair();
  const connection = createConnection(near);
  connection.onRequest('ping', () => 'pong');
  connection.onRequest('throws-string', () => {
    throw 'secret';
  });
  connection.onRequest('throws-null', () => {
    throw null;
  });
  connection.onRequest('rejects', () => Promise.reject(new Error('secret')));
  connection.onNotification('note', () => {});
  connection.onNotification('note-throws', () => {
    throw new Error('secret');
  });
  connection.onNotification('note-rejects', () => Promise.reject(new Error('secret')) as never);
  const received: unknown[] = [];
  let onPong: () => void = () => {};
  far.onMessage((value) => {
    if ((value as { id?: unknown }).id === 'alive') return onPong();
    received.push(value);
  });
  const send = (value: unknown): void => void far.send(value as Message);
  // Wire order makes this a barrier: when the ping is answered, everything before it was dealt with.
  const answers = async (): Promise<unknown[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => {
      onPong = resolve;
      send({ jsonrpc: '2.0', id: 'alive', method: 'ping' });
    });
    return received.splice(0);
  };
  return { send, answers };
}

describe(`JSON-RPC abuse (${CASES.length} cases)`, () => {
  it('has at least 200 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(200);
  });

  it.each(CASES)('answers $name in its one defined way and lives on', async ({ value, expected, result }) => {
    const { send, answers } = openTarget();
    send(value);
    const got = await answers();
    if (result !== undefined) expect(got).toEqual([{ jsonrpc: '2.0', id: 8, result }]);
    else if (expected === null) expect(got).toEqual([]);
    else expect(got).toMatchObject([{ jsonrpc: '2.0', id: expected.id, error: { code: expected.code } }]);
    expect(JSON.stringify(got)).not.toContain('secret');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a peer that sends anything', () => {
  const id = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom('a', 'b', null));
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('request' as const),
        id,
        method: fc.constantFrom('ping', 'later', 'rejects', 'nope'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), id }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('note' as const),
        method: fc.constantFrom('note', 'nope', 'note-throws'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('junk' as const), value: fc.jsonValue() }) },
  );
  const CODES: Record<string, number | 'result'> = { ping: 'result', later: 'result', rejects: -32603, nope: -32601 };

  it('gets exactly one answer for each request, of the right kind, and none for notifications', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [near, far] = createMemoryPair();
        const connection = createConnection(near);
        connection.onRequest('ping', () => 'pong');
        connection.onRequest('later', () => new Promise((resolve) => setImmediate(() => resolve('late'))));
        connection.onRequest('rejects', () => Promise.reject(new Error('no')));
        connection.onNotification('note', () => {});
        connection.onNotification('note-throws', () => {
          throw new Error('no');
        });
        const answers = new Map<unknown, unknown[]>();
        far.onMessage((value) => {
          const answer = value as { id: unknown };
          answers.set(answer.id, [...(answers.get(answer.id) ?? []), answer]);
        });

        // The model: what each id asked for. A repeated id may be refused with id null while the first one runs.
        const asked = new Map<unknown, string[]>();
        let nullAnswers = 0;
        for (const item of steps) {
          if (item.type === 'request') {
            asked.set(item.id, [...(asked.get(item.id) ?? []), item.method]);
            void far.send({ jsonrpc: '2.0', id: item.id, method: item.method });
          } else if (item.type === 'cancel') {
            void far.send({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: item.id } });
          } else if (item.type === 'note') {
            void far.send({ jsonrpc: '2.0', method: item.method });
          } else {
            void far.send(item.value as never);
            if (isAnswered(item.value)) nullAnswers++;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
        // A busy machine comes to its timers first; the late answers are made in the step behind them.
        for (let step = 0; step < 2; step += 1) await new Promise((resolve) => setImmediate(resolve));

        const total = [...answers.values()].reduce((sum, list) => sum + list.length, 0);
        const requests = [...asked.values()].reduce((sum, list) => sum + list.length, 0);
        expect(total).toBe(requests + nullAnswers);
        for (const [key, methods] of asked) {
          if (key === null || methods.length !== 1) continue;
          const [only] = answers.get(key) ?? [];
          const want = CODES[methods[0] as string];
          if (want === 'result') expect(only).toHaveProperty('result');
          else expect([want, -32800]).toContain((only as { error: { code: number } }).error.code);
        }
        await connection.close();
      }),
      { seed: 20261115, numRuns: Number(process.env.PARLEY_FUZZ_RUNS ?? 500) },
    );
  });
});

/** Junk from `fc.jsonValue` never has a method of ours, so it is answered (with id null) unless it looks like a response. */
function isAnswered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const { id, result, error, method } = value as Record<string, unknown>;
  return method !== undefined || (id === undefined && result === undefined && error === undefined);
}
