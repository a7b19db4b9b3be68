import { describe, expect, it } from 'vitest';
import {
  countRedacted,
  createChunkRuns,
  createPairing,
  formatEntry,
  type MessageEntry,
  parseEntry,
  sessionOf,
  specificationOf,
  summarize,
  type TraceEntry,
  waitsOn,
  withoutSecrets,
} from './index.ts';
import { createMessageJudge } from './judge.ts';
import { shortLine } from './short-line.ts';

const at = (direction: 'in' | 'out', message: object, connection?: string): MessageEntry => ({
  kind: 'message',
  timeMs: 0,
  direction,
  message: { jsonrpc: '2.0', ...message },
  ...(connection !== undefined && { connection }),
});
const chunk = (text: string, connection?: string, sessionId = 's'): MessageEntry =>
  at(
    'in',
    {
      method: 'session/update',
      params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    },
    connection,
  );

describe('an entry', () => {
  it('is read as it was written, whatever its kind and place', () => {
    const place = { agent: 'a', connection: 'c', side: 'agent', sessionId: 's', protocol: 2 } as const;
    const entries: readonly TraceEntry[] = [
      { ...at('in', { id: 1, result: null }), ...place },
      { kind: 'noise', timeMs: 5, direction: 'in', text: 'Loading…' },
      { kind: 'stderr', timeMs: 6, text: 'warn\n', agent: 'a' },
    ];
    for (const entry of entries) expect(parseEntry(formatEntry(entry))).toEqual(entry);
  });

  it('is none in a line that is no part of a trace', () => {
    for (const line of ['', '[]', '{"time":"x","stderr":"y"}', '{"time":1e300,"stderr":"y"}', '{"time":1}', 'null'])
      expect(parseEntry(line)).toBeUndefined();
  });

  it('loses its secrets, and what was taken out can be counted', () => {
    const told = withoutSecrets(at('out', { id: 1, method: 'x', params: { token: 'canary', env: { A: 'canary' } } }));
    expect(formatEntry(told)).not.toContain('canary');
    expect(countRedacted(formatEntry(told))).toBe(2);
    expect(withoutSecrets({ kind: 'stderr', timeMs: 0, text: 'API_KEY=canary' })).toMatchObject({
      text: 'API_KEY=[redacted]',
    });
  });
});

describe('pairing', () => {
  it('gives an answer the mark of its request, by direction, wire and id', () => {
    const pairing = createPairing<string>();
    expect(pairing.pair(at('out', { id: 1, method: 'a' }, 'x'), 'a at x')).toBeUndefined();
    pairing.pair(at('in', { id: 1, method: 'b' }, 'x'), 'b at x');
    pairing.pair(at('out', { id: 1, method: 'a' }, 'y'), 'a at y');
    pairing.pair(at('out', { id: '1', method: 'a' }, 'y'), 'other at y');
    expect(pairing.pair(at('in', { id: 1, result: {} }, 'y'), '')).toBe('a at y');
    expect(pairing.pair(at('out', { id: 1, result: {} }, 'x'), '')).toBe('b at x');
    expect(pairing.pair(at('in', { id: 1, error: {} }, 'x'), '')).toBe('a at x');
    expect(pairing.pair(at('in', { id: 1, result: {} }, 'x'), '')).toBeUndefined();
    expect(pairing.pair(at('in', { id: '1', result: {} }, 'y'), '')).toBe('other at y');
  });

  it('holds no more than so many requests that nobody answers', () => {
    const pairing = createPairing<number>();
    for (let id = 0; id <= 10_000; id += 1) pairing.pair(at('out', { id, method: 'a' }), id);
    expect(pairing.pair(at('in', { id: 0, result: {} }), 0)).toBeUndefined();
    expect(pairing.pair(at('in', { id: 10_000, result: {} }), 0)).toBe(10_000);
  });
});

describe('runs of chunks', () => {
  it('go on until another message comes on the same wire, and keep wires and sessions apart', () => {
    const runs = createChunkRuns<string>();
    const take = (entry: MessageEntry, name: string): string => {
      const run = runs.take(entry);
      if (run === undefined) runs.begin(entry, name);
      return run ?? `new ${name}`;
    };
    expect(take(chunk('a', 'x'), '1')).toBe('new 1');
    expect(take(chunk('b', 'y'), '2')).toBe('new 2');
    expect(take(chunk('c', 'x'), '3')).toBe('1');
    expect(take(chunk('d', 'y', 'other'), '4')).toBe('new 4');
    expect(take(at('in', { id: 1, result: {} }, 'x'), '5')).toBe('new 5');
    expect(take(chunk('e', 'x'), '6')).toBe('new 6');
    runs.end();
    expect(take(chunk('f', 'x'), '7')).toBe('new 7');
  });
});

describe('what a message is about', () => {
  it('is said in one line that steers nothing, however it was written', () => {
    expect(summarize(chunk('hi \u001b[31mred\u001b]0;title\u0007 \u202eturned\u202c\n\tnext').message)).toBe(
      'agent_message_chunk "hi red turned next"',
    );
    expect(shortLine('x'.repeat(300))).toHaveLength(200);
    const bytes = { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: btoa('ok\n') };
    expect(summarize({ method: 'session/update', params: { update: bytes } })).toBe('terminal_output_chunk t "ok"');
    expect(summarize({ method: 'session/update', params: { update: { ...bytes, data: '%' } } })).toContain('no base64');
  });

  it('has a session, somebody who is waited on, and a section of the specification', () => {
    expect(sessionOf({ result: { sessionId: 's' } })).toBe('s');
    expect(sessionOf({ params: [] })).toBeUndefined();
    expect(waitsOn('session/request_permission', 'in')).toBe('person');
    expect(waitsOn('session/prompt', 'out')).toBe('agent');
    expect(waitsOn('fs/read_text_file', 'in')).toBe('client');
    expect(specificationOf('session/update', 2).section).toBe('protocol/v2/prompt-lifecycle');
    expect(specificationOf('session/update', 1, 'plan').url).toBe(
      'https://agentclientprotocol.com/protocol/v1/agent-plan',
    );
  });
});

describe('a judge of messages', () => {
  const begin = (version: number, capabilities: object = {}, connection?: string): readonly MessageEntry[] => [
    at('out', { id: 0, method: 'initialize', params: { protocolVersion: version } }, connection),
    at('in', { id: 0, result: { protocolVersion: version, ...capabilities } }, connection),
  ];

  it('names the rule that a message breaks, and where the specification has it', () => {
    const { judge } = createMessageJudge();
    for (const entry of begin(1)) expect(judge(entry).status).toBe('valid');
    expect(judge(at('out', { id: 1, method: 'session/new', params: { cwd: 'src', mcpServers: [] } }))).toEqual({
      status: 'invalid',
      problem: 'cwd: expected absolute path, got a relative path',
      rule: 'At cwd the specification has: absolute path.',
      specification: {
        section: 'protocol/v1/session-setup',
        url: 'https://agentclientprotocol.com/protocol/v1/session-setup',
      },
    });
    expect(judge(at('in', { id: 1, result: {} }))).toMatchObject({
      status: 'invalid',
      problem: expect.stringMatching(/sessionId/),
    });
    expect(judge(at('in', { method: 'session/update', params: { sessionId: 's' } }))).toMatchObject({
      problem: expect.stringMatching(/update/),
    });
    expect(judge(at('in', { id: 5, method: 'session/prompt', params: {} }))).toMatchObject({
      problem: 'session/prompt is sent to the agent, not by it',
    });
    expect(judge(at('in', { method: 'foo' }))).toMatchObject({ rule: expect.stringContaining('begin with "_"') });
    expect(judge(at('in', { id: 9, error: { code: 'x' } }))).toMatchObject({ status: 'invalid' });
  });

  it('goes by the version of each wire, and by what its agent has advertised', () => {
    const { judge } = createMessageJudge();
    const image = { sessionId: 's', prompt: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] };
    const prompt = (connection: string): MessageEntry =>
      at('out', { id: 7, method: 'session/prompt', params: image }, connection);
    expect(judge({ ...prompt('unseen') })).toMatchObject({ status: 'unknown' });
    expect(judge({ ...prompt('told'), protocol: 1 })).toEqual({ status: 'valid' });
    for (const entry of begin(1, { agentCapabilities: {} }, 'x')) judge(entry);
    for (const entry of begin(1, { agentCapabilities: { promptCapabilities: { image: true } } }, 'y')) judge(entry);
    expect(judge(prompt('x'))).toMatchObject({ problem: expect.stringMatching(/promptCapabilities/) });
    expect(judge(prompt('y'))).toEqual({ status: 'valid' });
    for (const entry of begin(2, { info: { name: 'a', version: '1' }, capabilities: {} }, 'z')) judge(entry);
    expect(judge(prompt('z'))).toMatchObject({
      problem: expect.stringMatching(/capabilities\.session\.prompt/),
      specification: { section: 'protocol/v2/prompt-lifecycle' },
    });
  });
});
