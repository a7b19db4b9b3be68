import { RpcError } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import type { PromptHandler, Terminal } from '../../src/index.ts';
import { ALL_CAPABILITIES, connectRawClient, errorOf, testAgent, until } from '../raw-client.ts';

type Calls = { method: string; params: Record<string, unknown> }[];

/** A client whose files and terminals answer from a table, and what it was asked. */
async function run(handler: PromptHandler, answers: Record<string, unknown> = {}, capabilities = ALL_CAPABILITIES) {
  const { built, diagnostics } = testAgent();
  const client = connectRawClient(built.onPrompt(handler));
  const calls: Calls = [];
  const table: Record<string, unknown> = {
    'terminal/create': { terminalId: 't1' },
    'terminal/output': { output: 'partial', truncated: true, exitStatus: null },
    'terminal/wait_for_exit': { exitCode: 3, signal: null },
    'terminal/kill': {},
    'terminal/release': {},
    ...answers,
  };
  client.connection.onAnyRequest(({ method, params }) => {
    calls.push({ method, params: params as Record<string, unknown> });
    const answer = table[method];
    return typeof answer === 'function' ? answer(params) : answer;
  });
  await client.initialize(capabilities);
  const { sessionId } = await client.newSession();
  return {
    client,
    calls,
    diagnostics,
    sessionId,
    prompt: () => client.prompt(sessionId, 'go'),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

describe('files and terminals of the client', () => {
  it('rule 127: are called only where offered, and then with all that the protocol wants', async () => {
    let text = '';
    await using test = await run(
      async ({ client }) => {
        text = await client.readTextFile('/a.txt', { line: 2, limit: 1 });
        await client.writeTextFile('/b.txt', 'new');
        await using terminal = await client.createTerminal({
          command: 'npm',
          args: ['test'],
          env: { CI: '1' },
          cwd: 'sub',
          outputByteLimit: 1024,
        });
        expect(await terminal.output()).toEqual({ output: 'partial', truncated: true });
        expect(await terminal.waitForExit()).toEqual({ exitCode: 3, signal: null });
        await terminal.kill();
      },
      { 'fs/read_text_file': { content: 'second' }, 'fs/write_text_file': {} },
    );
    expect(await test.prompt()).toEqual({ stopReason: 'end_turn' });
    const { sessionId } = test;
    expect(text).toBe('second');
    expect(test.calls).toEqual([
      { method: 'fs/read_text_file', params: { sessionId, path: '/a.txt', line: 2, limit: 1 } },
      { method: 'fs/write_text_file', params: { sessionId, path: '/b.txt', content: 'new' } },
      {
        method: 'terminal/create',
        params: {
          sessionId,
          command: 'npm',
          args: ['test'],
          env: [{ name: 'CI', value: '1' }],
          cwd: '/proj/project/sub',
          outputByteLimit: 1024,
        },
      },
      ...['output', 'wait_for_exit', 'kill', 'release'].map((name) => ({
        method: `terminal/${name}`,
        params: { sessionId, terminalId: 't1' },
      })),
    ]);
  });

  it('rule 127: fail clearly when the client refuses, or answers nonsense', async () => {
    const errors: Error[] = [];
    await using test = await run(
      async ({ client }) => {
        await client.readTextFile('/missing').catch((error: Error) => errors.push(error));
        await client.writeTextFile('/odd', '').catch((error: Error) => errors.push(error));
        await client.createTerminal({ command: 'x' }).catch((error: Error) => errors.push(error));
        await client.readTextFile('/a', { line: 0 }).catch((error: Error) => errors.push(error));
      },
      { 'fs/read_text_file': { content: 5 }, 'fs/write_text_file': 'fine', 'terminal/create': {} },
    );
    expect(await test.prompt()).toEqual({ stopReason: 'end_turn' });
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('fs/read_text_file'),
      expect.stringContaining('fs/write_text_file'),
      expect.stringContaining('terminalId'),
      expect.stringContaining('line'),
    ]);
    expect(test.calls).toHaveLength(3);
  });

  it('rule 127: never pass off an answer about a file as an answer to the prompt', async () => {
    const codes: unknown[] = [];
    await using test = await run(
      async ({ client }) => {
        await client.readTextFile('/missing').catch(({ code, rpcCode }) => codes.push(code, rpcCode));
        await client.readTextFile('/missing');
      },
      {
        'fs/read_text_file': () => {
          throw new RpcError(-32002, 'No such file: /missing');
        },
      },
    );
    const error = await errorOf(test.prompt());
    expect(codes).toEqual(['client_refused', -32002]);
    expect(error).toMatchObject({ code: -32603, data: { reason: 'client_refused' } });
    expect(error.message).toContain('No such file: /missing');
  });

  it('rule 136: every terminal is released, at the latest when the turn ends', async () => {
    let next = 0;
    const kept: Terminal[] = [];
    await using test = await run(
      async ({ client }) => {
        kept.push(await client.createTerminal({ command: 'a' }), await client.createTerminal({ command: 'b' }));
        await kept[0]?.kill();
        await kept[1]?.release();
        await kept[1]?.release();
      },
      { 'terminal/create': () => ({ terminalId: `t${++next}` }) },
    );
    await test.prompt();
    await until(() => test.calls.filter(({ method }) => method === 'terminal/release').length === 2);
    const released = test.calls.flatMap(({ method, params }) =>
      method === 'terminal/release' ? [params.terminalId] : [],
    );
    expect(released).toEqual(['t2', 't1']);
    expect(await errorOf(kept[0]?.output() ?? Promise.resolve())).toMatchObject({ code: 'terminal_released' });
  });

  it('rule 136: also when the turn is cancelled while it waits, or while the terminal is being made', async () => {
    const created: ((value: object) => void)[] = [];
    await using test = await run(
      async ({ client, text }) => {
        const terminal = await client.createTerminal({ command: text });
        await terminal.waitForExit();
      },
      {
        'terminal/create': () => new Promise((resolve) => created.push(resolve)),
        'terminal/wait_for_exit': () => new Promise(() => {}),
      },
    );
    const { client, sessionId, calls } = test;
    const releases = (): unknown[] =>
      calls.flatMap(({ method, params }) => (method === 'terminal/release' ? [params.terminalId] : []));
    const waiting = test.prompt();
    await until(() => created.length === 1);
    created[0]?.({ terminalId: 'waits' });
    await until(() => calls.some(({ method }) => method === 'terminal/wait_for_exit'));
    client.notify('session/cancel', { sessionId });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    await until(() => releases().length === 1);

    const making = test.prompt();
    await until(() => created.length === 2);
    client.notify('session/cancel', { sessionId });
    expect(await making).toEqual({ stopReason: 'cancelled' });
    created[1]?.({ terminalId: 'late' });
    await until(() => releases().length === 2);
    expect(releases()).toEqual(['waits', 'late']);
  });
});

describe('elicitation', () => {
  const form = { properties: { name: { type: 'string' } }, required: ['name'] } as const;

  it('rule 138: uses only the modes that the client offers', async () => {
    const modes: unknown[] = [];
    await using test = await run(
      async ({ client }) => {
        await client.elicit({ message: 'Name?', form: { ...form, required: [...form.required] } });
        await client.elicit({ message: 'Go', url: 'https://example.com' }).catch(({ code }) => modes.push(code));
      },
      {
        'elicitation/create': ({ mode }: { mode: string }) => {
          modes.push(mode);
          return { action: 'accept', content: { name: 'Ada' } };
        },
      },
      { elicitation: { form: {} } },
    );
    expect(await test.prompt()).toEqual({ stopReason: 'end_turn' });
    expect(modes).toEqual(['form', 'capability_missing']);
    expect(test.calls[0]?.params).toMatchObject({ sessionId: test.sessionId, message: 'Name?', requestedSchema: form });
  });

  it('rule 139: asks for no secrets in a form, and does not fall back to one', async () => {
    const codes: unknown[] = [];
    await using test = await run(async ({ client }) => {
      for (const name of ['password', 'api_key', 'accessToken']) {
        const asked = client.elicit({ message: 'Log in', form: { properties: { [name]: { type: 'string' } } } });
        await asked.catch(({ code }) => codes.push(code));
      }
      const titled = { x: { type: 'string' as const, title: 'Your secret' } };
      await client.elicit({ message: 'Log in', form: { properties: titled } }).catch(({ code }) => codes.push(code));
    });
    await test.prompt();
    expect(codes).toEqual(Array(4).fill('secret_in_form'));
    expect(test.calls).toEqual([]);
  });

  it.each([
    [
      { action: 'accept', content: { n: 1 } },
      { action: 'accept', content: { n: 1 } },
    ],
    [
      { action: 'accept', content: null },
      { action: 'accept', content: {} },
    ],
    [{ action: 'accept' }, { action: 'accept', content: {} }],
    [{ action: 'decline', content: { n: 1 } }, { action: 'decline' }],
    [{ action: 'cancel' }, { action: 'cancel' }],
    [{ action: 'something_new' }, { action: 'cancel' }],
  ])('rule 142: reads the answer %j', async (answer, expected) => {
    let got: unknown;
    await using test = await run(
      async ({ client }) => {
        got = await client.elicit({ message: 'Go', url: 'https://example.com', elicitationId: 'e1', toolCallId: 'c1' });
        client.completeElicitation('e1');
      },
      { 'elicitation/create': answer },
    );
    await test.prompt();
    expect(got).toEqual(expected);
    expect(test.calls[0]?.params).toMatchObject({ elicitationId: 'e1', toolCallId: 'c1', mode: 'url' });
    expect(test.client.messages).toContainEqual(expect.objectContaining({ method: 'elicitation/complete' }));
  });
});

describe('requests of its own to the client', () => {
  it('are sent as they are', async () => {
    let answer: unknown;
    await using test = await run(
      async ({ client }) => {
        answer = await client.request('_vendor/ask', { q: 1 });
        void client.notify('_vendor/tell', { a: 2 });
      },
      { '_vendor/ask': { a: 42 } },
    );
    await test.prompt();
    expect(answer).toEqual({ a: 42 });
    expect(test.client.messages).toContainEqual({ jsonrpc: '2.0', method: '_vendor/tell', params: { a: 2 } });
  });
});
