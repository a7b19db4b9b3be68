import { INVALID, parse, takeProblem, ValidationError, type Validator, validators } from '@parley/protocol';
import { validators as v2 } from '@parley/protocol/v2';
import { describe, expect, it } from 'vitest';

function messageOf(validator: Validator<unknown>, value: unknown): string {
  try {
    parse(validator, value);
  } catch (error) {
    if (error instanceof ValidationError) return error.message;
    throw error;
  }
  return 'accepted';
}

function chunk(content: unknown): unknown {
  return { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content } };
}

describe('a validator', () => {
  it('returns the very value it was given when nothing is to be repaired', () => {
    const value = chunk({ type: 'text', text: 'hi' });
    expect(validators.SessionNotification(value)).toBe(value);
  });

  it.each([
    [validators.SessionNotification, chunk({ type: 'text', text: 5 }), 'update.content.text: expected string, got 5'],
    [validators.SessionNotification, chunk({ type: 'text' }), 'update.content.text: expected string, got nothing'],
    [validators.SessionNotification, null, 'expected object, got null'],
    [validators.SessionNotification, [], 'expected object, got array'],
    [validators.NewSessionRequest, { cwd: '/' }, 'mcpServers: expected array, got nothing'],
    [
      validators.NewSessionRequest,
      { cwd: '/', mcpServers: [{ name: 'a', command: 'b', args: ['c', 7], env: [] }] },
      'mcpServers[0].args[1]: expected string, got 7',
    ],
    [
      validators.PromptRequest,
      { sessionId: 's', prompt: [{ type: 'text', text: '' }, { type: 'imgae' }] },
      'prompt[1].type: expected one of "text", "image", "audio", "resource_link", "resource", got "imgae"',
    ],
    [
      validators.PermissionOption,
      { optionId: 'a', name: 'b', kind: 'deny' },
      'kind: expected one of "allow_once", "allow_always", "reject_once", "reject_always", got "deny"',
    ],
    [validators.InitializeRequest, { protocolVersion: 65_536 }, 'protocolVersion: expected uint16, got 65536'],
    [validators.ReadTextFileRequest, { sessionId: 's', path: '/', line: -1 }, 'line: expected uint32 or null, got -1'],
    [
      validators.CreateElicitationResponse,
      { action: 'accept', content: { 'a b': {} } },
      'content["a b"]: expected string, int64, number, boolean or array, got object',
    ],
    [validators.EmbeddedResource, { resource: { uri: 'x', text: 5 } }, 'resource.text: expected string, got 5'],
  ])('says where the problem is and what was expected (%#)', (validator, value, message) => {
    expect(messageOf(validator, value)).toBe(message);
  });

  it('quotes long tags only in part', () => {
    const message = messageOf(validators.ContentBlock, { type: 'x'.repeat(1000) });
    expect(message).toContain(`got "${'x'.repeat(40)}…"`);
    expect(message.length).toBeLessThan(200);
  });

  it('leaves out a malformed optional field and keeps the rest, in a copy', () => {
    const value = Object.freeze({ toolCallId: 't', title: 'x', status: 'running', kind: 7, extra: { kept: true } });
    expect(parse(validators.ToolCall, value)).toEqual({ toolCallId: 't', title: 'x', extra: { kept: true } });
    expect(value.status).toBe('running');
  });

  it('skips malformed items of the lists that allow it, and only there', () => {
    const entries = [{ content: 'a', priority: 'low', status: 'pending' }, 'junk', { content: 'b' }];
    expect(parse(validators.Plan, { entries }).entries).toEqual([entries[0]]);
    expect(messageOf(validators.PromptRequest, { sessionId: 's', prompt: ['junk'] })).toBe(
      'prompt[0]: expected object, got string',
    );
  });

  it('reads null as empty where the schema says so', () => {
    expect(parse(validators.NewSessionRequest, { cwd: '/', mcpServers: null }).mcpServers).toEqual([]);
  });

  it('fills in defaults', () => {
    expect(parse(validators.InitializeRequest, { protocolVersion: 1, clientCapabilities: 'all' })).toEqual({
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        auth: { terminal: false },
      },
    });
  });

  it('gives each value defaults of its own', () => {
    const first = parse(validators.InitializeResponse, { protocolVersion: 1 });
    const second = parse(validators.InitializeResponse, { protocolVersion: 1 });
    expect(first.agentCapabilities).not.toBe(second.agentCapabilities);
  });

  it('keeps unknown fields at every level', () => {
    const value = { sessionId: 's', vendor: 1, update: { sessionUpdate: 'plan', entries: [], vendor: { deep: [2] } } };
    expect(parse(validators.SessionNotification, value)).toBe(value);
  });

  it('drops the tag of a variant that does not fit when a variant without a tag does', () => {
    const server = { type: 'http', name: 'n', command: '/bin/x', args: [], env: [] };
    expect(parse(validators.McpServer, server)).toEqual({ name: 'n', command: '/bin/x', args: [], env: [] });
  });

  it('tells an unknown variant from a malformed one', () => {
    expect(validators.SessionUpdate({ sessionUpdate: 'state_update' })).toBe(INVALID);
    expect(takeProblem().kind).toBe('variant');
    expect(validators.SessionUpdate({ sessionUpdate: 'plan' })).toBe(INVALID);
    expect(takeProblem().kind).toBe('missing');
  });

  it('keeps an unknown variant of a v2 union, and rejects a known one with a bad payload', () => {
    const unknown = { sessionUpdate: '_mine', anything: { goes: 1 } };
    expect(v2.SessionUpdate(unknown)).toBe(unknown);
    expect(
      messageOf(v2.SessionUpdate, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '' } }),
    ).toBe('messageId: expected string, got nothing');
  });

  it('explains itself to a peer as invalid params', () => {
    const error = new ValidationError({ path: ['a', 0], expected: 'string', received: '5', kind: 'mismatch' });
    expect(error.toRpcError().toJSON()).toEqual({
      code: -32602,
      message: 'Invalid params: a[0]: expected string, got 5',
      data: { path: 'a[0]', expected: 'string' },
    });
  });
});

describe('hostile input', () => {
  const everyValidator = Object.entries({ ...validators, ...v2 }) as [string, Validator<unknown>][];

  it('never makes a validator throw', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    const deepObject = JSON.parse(`${'{"_meta":'.repeat(100_000)}{}${'}'.repeat(100_000)}`) as unknown;
    const odd = JSON.parse(
      '{"__proto__":{"type":"text"},"constructor":null,"toString":1,"hasOwnProperty":2}',
    ) as unknown;
    const values = [
      deep,
      deepObject,
      odd,
      JSON.parse('1e999'),
      '\ud800',
      Object.create(null),
      undefined,
      Symbol.iterator,
    ];
    for (const [, validator] of everyValidator) for (const value of values) validator(value);
    expect(everyValidator.length).toBeGreaterThan(200);
  });

  it('may be as deep as it likes where anything is allowed', () => {
    const rawInput = JSON.parse(`${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`) as unknown;
    const call = { toolCallId: 't', title: 'x', rawInput };
    expect(validators.ToolCall(call)).toBe(call);
  });

  it('cannot lend fields through a prototype', () => {
    const value = JSON.parse('{"__proto__":{"type":"text","text":"x"}}') as unknown;
    expect(validators.ContentBlock(value)).toBe(INVALID);
    const env = JSON.parse('{"id":"a","name":"b","type":"terminal","env":{"__proto__":"x","A":"1"}}') as unknown;
    expect(Object.keys((validators.AuthMethod(env) as unknown as { env: object }).env)).toEqual(['A']);
  });

  it('leaves __proto__ a plain field when a copy is made', () => {
    const value = JSON.parse('{"toolCallId":"t","title":"x","kind":9,"__proto__":{"polluted":true}}') as unknown;
    const call = parse(validators.ToolCall, value);
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype);
    expect('polluted' in call).toBe(false);
  });
});
