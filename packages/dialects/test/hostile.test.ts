import { DIALECT_LIMITS, type DialectName, withDialect } from '@parley/dialects';
import type { Message } from '@parley/jsonrpc';
import { createRandom, mutate } from '@parley/testing/mutations';
import { createMemoryPair } from '@parley/transports/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Border, defaultParams, type Json, openBorder } from './border.ts';
import { DOCUMENTS, messageOf } from './fixtures.ts';

const DIALECTS: readonly (DialectName | 'auto')[] = ['harness', 'overview', 'go', 'elephant', 'pharo', 'auto'];
const RUNS = Number(process.env.PARLEY_DIALECT_RUNS ?? 25) * 40;

const METHODS = [
  ...['initialize', 'authenticate', 'session/new', 'session/load', 'session/prompt', 'session/set_mode'],
  ...['session/set_config_option', 'session/request_permission', 'fs/read_text_file', 'fs/write_text_file'],
  ...['terminal/create', 'terminal/output', 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release'],
];

/** Words that the readers and writers look for, so that junk gets deep into them. */
const WORDS = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'sessionId', 'update', 'sessionUpdate', 'type', 'kind'],
  ...['_meta', 'dialect', 'was', 'added', 'derived', 'content', 'annotations', 'plan', 'steps', 'options', 'toolCall'],
  ...['mcpServers', 'env', 'headers', 'locations', 'modes', 'availableModes', 'exitStatus', 'configOptions', 'data'],
  ...['__proto__', 'constructor', 'toString', 'tool_call', 'tool_call_update', 'message', 'resource', 'terminal'],
];

const EXAMPLES: readonly Json[] = DOCUMENTS.flatMap(({ examples }) =>
  examples.filter(({ place, cannot }) => place !== 'launch' && cannot === undefined).map(messageOf),
);

/** Whether the border still does its work: a turn with text and a result comes through both ways. */
function expectUsable(border: Border): void {
  const prompt = {
    jsonrpc: '2.0',
    id: 'usable',
    method: 'session/prompt',
    params: { sessionId: 'usable', prompt: [] },
  };
  expect(border.write(prompt)).toHaveLength(1);
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi' } };
  const update = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'usable', update: chunk } };
  expect(border.read(update)).toEqual([update]);
  expect(border.read({ jsonrpc: '2.0', id: 'usable', result: { stopReason: 'end_turn' } })).toMatchObject([
    { id: 'usable', result: { stopReason: 'end_turn' } },
  ]);
  expect({}).not.toHaveProperty('polluted');
}

/** A value nested deeper than any recursion goes. */
function nest(depth: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { content: value };
  return value;
}

describe.each(DIALECTS)('hostile input in %s', (dialect) => {
  it('of any JSON value is never thrown at', () => {
    const border = openBorder(dialect);
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...METHODS, 'session/update', 'constructor'), (value, method) => {
        border.read(value);
        border.read({ jsonrpc: '2.0', method, params: value });
        border.read({ jsonrpc: '2.0', id: value, method, params: value });
        border.read({ jsonrpc: '2.0', id: 1, result: value, error: value });
        border.write({ jsonrpc: '2.0', id: 1, method, params: value });
        border.read({ jsonrpc: '2.0', id: 1, result: value });
        border.write({ jsonrpc: '2.0', id: 2, method, params: value });
        border.read({ jsonrpc: '2.0', id: 2, error: value });
        border.write({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: value } });
      }),
      { numRuns: 200, seed: 20_261_115 },
    );
    expectUsable(border);
  });

  it('of damaged examples is never thrown at, in reading and in writing', () => {
    const border = openBorder(dialect);
    const random = createRandom(20_261_115);
    for (let run = 0; run < RUNS; run++) {
      const example = random.pick(EXAMPLES);
      const damaged = mutate(example, random, WORDS) as Json;
      const method = random.pick(METHODS);
      border.write({ jsonrpc: '2.0', id: (damaged as Json | null)?.id ?? 1, method, params: defaultParams(method) });
      for (const read of border.read(damaged)) {
        // Our own side sends messages, whatever it was sent.
        const { method: name } = (read ?? {}) as Json;
        if (typeof read === 'object' && read !== null && (name === undefined || typeof name === 'string'))
          border.write(read);
      }
    }
    expectUsable(border);
    expect(border.state.ownRequests.size).toBeLessThanOrEqual(RUNS);
  });

  it('that is very deep or very wide costs neither the stack nor the patience', () => {
    const border = openBorder(dialect);
    const deep = nest(200_000);
    const wide = Array.from({ length: 20_000 }, () => ({
      command: 'x',
      type: 'text',
      kind: 'deny',
      transport: 'stdio',
    }));
    const stubborn = JSON.parse('{"toString":1,"valueOf":{},"type":{"toString":1},"path":{"toString":1}}');
    for (const value of [deep, wide, stubborn, [deep, stubborn], [[deep]]]) {
      for (const method of METHODS) {
        border.write({ jsonrpc: '2.0', id: 3, method, params: defaultParams(method) });
        border.read({ jsonrpc: '2.0', id: 3, result: value });
        for (const name of [
          'prompt',
          'mcpServers',
          'options',
          'toolCall',
          'env',
          'clientCapabilities',
          'value',
          'modeId',
        ]) {
          border.read({
            jsonrpc: '2.0',
            id: `${method}${name}`,
            method,
            params: { sessionId: 's', cwd: '/', [name]: value },
          });
        }
      }
      for (const update of [
        value,
        { type: 'message', content: value },
        { sessionUpdate: 'tool_call', content: value },
      ]) {
        border.read({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
        border.write({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
      }
    }
    expectUsable(border);
  });

  it('of very many parts takes time in proportion, and no stack', async () => {
    const [near, far] = createMemoryPair();
    const transport = withDialect(near, dialect);
    let heard = 0;
    transport.onMessage(() => heard++);
    const count = 150_000;
    const blocks = Array.from({ length: count }, () => ({ type: 'image', data: 'x', mimeType: 'image/png' }));
    const names = blocks.map((_, index) => `n${index}`);
    const fields = Object.fromEntries(names.map((name) => [name, 1]));
    const prompt = { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
    void transport.send(prompt as Message);
    const many = { ...fields, sessionUpdate: 'tool_call', toolCallId: 't', _meta: { dialect: { added: names } } };
    for (const update of [{ type: 'message', content: blocks }, many]) {
      void far.send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
    }
    void far.send({ jsonrpc: '2.0', id: 1, result: { content: blocks } });
    far.onMessage(() => {});
    await expect.poll(() => heard).toBeGreaterThan(count);
  });

  it('that never ends is remembered only up to the limits', () => {
    const border = openBorder(dialect);
    for (let index = 0; index < DIALECT_LIMITS.maxPendingRequests + 10; index++) {
      border.read({
        jsonrpc: '2.0',
        id: index,
        method: 'terminal/output',
        params: { sessionId: `s${index}`, terminalId: `t${index}` },
      });
      const call = { sessionUpdate: 'tool_call', toolCallId: `c${index}`, title: 'x' };
      border.read({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: call } });
    }
    const { received, sessions, terminals } = border.state;
    expect(received.size).toBe(DIALECT_LIMITS.maxPendingRequests);
    expect(sessions.size).toBeLessThanOrEqual(DIALECT_LIMITS.maxSessions);
    expect(terminals.size).toBeLessThanOrEqual(DIALECT_LIMITS.maxTerminals);
    expect(sessions.get('s')?.toolCalls.size ?? 0).toBeLessThanOrEqual(DIALECT_LIMITS.maxToolCalls);
    expectUsable(border);
  });

  it('with names of the prototype changes no prototype', () => {
    const border = openBorder(dialect);
    const evil = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    border.read({
      jsonrpc: '2.0',
      id: 1,
      method: 'session/new',
      params: { cwd: '/', mcpServers: { ...evil, a: { command: 'x', env: evil } } },
    });
    border.read({
      jsonrpc: '2.0',
      id: 2,
      method: 'terminal/create',
      params: { sessionId: '__proto__', command: 'x', env: evil },
    });
    border.read({
      jsonrpc: '2.0',
      method: 'session/update',
      params: {
        sessionId: '__proto__',
        update: { type: 'text', ...evil, _meta: { dialect: { was: evil, added: ['__proto__'] } } },
      },
    });
    border.read({ jsonrpc: '2.0', method: '__proto__', params: evil });
    expectUsable(border);
  });
});
