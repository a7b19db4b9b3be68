import { createConnection } from '@parley/jsonrpc';
import type { SessionUpdate } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCodingAgent } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('a turn ends', () => {
  it.each([
    ['end_turn', [{ type: 'text', text: 'Done.' }]],
    [
      'refusal',
      [
        { type: 'text', text: 'No.' },
        { type: 'stop', reason: 'refusal' },
      ],
    ],
  ] as const)('with %s when the model does', async (stopReason, events) => {
    const project = await makeProject();
    const { env } = await startModel({ script: [{ events }] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    expect((await session.prompt('hello').result).stopReason).toBe(stopReason);
  });

  it('with max_turn_requests when the model never stops calling', async () => {
    const project = await makeProject({ 'a.txt': 'x' });
    const again = {
      events: [{ type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } }],
      repeat: true,
    } as const;
    const { env, server } = await startModel({ script: [again] });
    const connection = await startInProcess({ agent: { env, maxRequests: 3 } });
    const session = await connection.newSession({ cwd: project.path });
    expect((await session.prompt('loop').result).stopReason).toBe('max_turn_requests');
    expect(server.requests).toHaveLength(3);
  });

  it('without running the calls of an answer that was cut off', async () => {
    const project = await makeProject();
    const { env, server } = await startModel({
      script: [
        {
          events: [
            { type: 'tool_call', name: 'write_file', input: { path: 'a.txt', content: 'x' } },
            { type: 'stop', reason: 'max_tokens' },
          ],
        },
        'Sorry.',
      ],
    });
    const connection = await startInProcess({ agent: { env, permissions: { mode: 'bypassPermissions' } } });
    const session = await connection.newSession({ cwd: project.path });
    expect(await session.prompt('write').result).toMatchObject({ stopReason: 'end_turn', text: 'Sorry.' });
    await expect(project.read('a.txt')).rejects.toThrow('ENOENT');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('Not run: your answer broke off');
  });

  it('forgets what was refused', async () => {
    const project = await makeProject();
    const { env, server } = await startModel({
      script: [
        {
          events: [
            { type: 'text', text: 'No.' },
            { type: 'stop', reason: 'refusal' },
          ],
        },
        'Hello.',
      ],
    });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('something forbidden').result;
    await session.prompt('hello').result;
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('forbidden');
  });
});

describe('the calls of one answer', () => {
  it('have their results in order, whatever went wrong with them', async () => {
    const project = await makeProject({ 'a.txt': 'A' });
    const { env, server } = await startModel({
      script: [
        {
          events: [
            { type: 'tool_call', name: 'read_file', input: { path: 'a.txt' }, id: 'one' },
            { type: 'tool_call', name: 'fly', input: {}, id: 'two' },
            { type: 'tool_call', name: 'read_file', rawArguments: '{"path": "a', id: 'three' },
            { type: 'tool_call', name: 'write_file', input: { path: 'b.txt', content: 'B' }, id: 'four' },
          ],
        },
        'Done.',
      ],
    });
    const connection = await startInProcess({ agent: { env }, permissions: { ask: () => 'reject' } });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls, stopReason } = await session.prompt('go').result;
    expect(stopReason).toBe('end_turn');
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'failed', 'failed', 'failed']);
    const request = await server.waitForRequest(1);
    const { messages } = request.body as { messages: { role: string; tool_call_id?: string; content: string }[] };
    const results = messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id, content }) => [id, content]);
    expect(results).toEqual([
      ['one', '    1  A'],
      ['two', expect.stringContaining('There is no tool "fly"')],
      ['three', expect.stringMatching(/JSON/)],
      ['four', 'Error: Not allowed: It was rejected.'],
    ]);
  });

  it.each([
    ['a rule of the client', { rules: { deny: ['Edit'] }, ask: (): 'allow' => 'allow' }, /^Not allowed: .*Edit/],
    ['nobody at the client', {}, /^Not allowed: .*There was nobody to ask\.$/],
    ['the person', { ask: (): 'reject' => 'reject' }, /^Not allowed: It was rejected\.$/],
  ])('say what decided: %s', async (_, permissions, expected) => {
    const project = await makeProject();
    const write = { type: 'tool_call', name: 'write_file', input: { path: 'b.txt', content: 'B' } } as const;
    const { env, server } = await startModel({ script: [{ events: [write] }, 'Oh.'] });
    const connection = await startInProcess({ agent: { env }, permissions });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('go').result;
    expect(JSON.stringify(toolCalls[0]?.content)).toContain('Not allowed');
    const { messages } = (await server.waitForRequest(1)).body as { messages: { role: string; content: string }[] };
    const result = messages.find(({ role }) => role === 'tool')?.content.replace(/^Error: /, '');
    expect(result).toMatch(expected);
  });

  it('show the diff before the person is asked, and nobody is asked for what cannot work', async () => {
    const project = await makeProject({ 'a.txt': 'old' });
    const edit = (old_text: string) => ({
      type: 'tool_call' as const,
      name: 'edit_file',
      input: { path: 'a.txt', old_text, new_text: 'new' },
    });
    const { env } = await startModel({ script: [{ events: [edit('nowhere'), edit('old')] }, 'Done.'] });
    const asked: unknown[] = [];
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: ({ toolCall }) => {
          asked.push(toolCall);
          return 'allow';
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('go').result;
    expect(asked).toMatchObject([
      {
        title: 'Edit a.txt',
        kind: 'edit',
        content: [{ type: 'diff', oldText: 'old', newText: 'new' }],
        rawInput: { path: 'a.txt' },
      },
    ]);
  });
});

describe('a conversation that fills the window', () => {
  it('is shortened before it does, and goes on', async () => {
    const project = await makeProject();
    const { server } = await startModel({
      script: [
        { events: [{ type: 'huge', chars: 600_000 }], when: { contains: 'tell me everything' } },
        {
          events: [{ type: 'text', text: 'They asked for everything.' }],
          when: { contains: 'Summarize the conversation' },
        },
        { events: [{ type: 'text', text: 'Well.' }], when: { contains: 'and then' } },
      ],
    });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, PARLEY_MODEL: 'anthropic/claude-haiku-4-5' };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('tell me everything').result;
    const { text } = await session.prompt('and then?').result;
    expect(text).toBe('Well.');
    expect(server.requests).toHaveLength(3);
    const last = JSON.stringify(server.requests[2]?.body);
    expect(last).toContain('They asked for everything.');
    expect(last).toContain('and then?');
    expect(last.length).toBeLessThan(60_000);
    const compactions = session.transcript.entries.toArray().filter(({ type }) => type === 'compaction');
    expect(compactions).toMatchObject([{ status: 'completed' }]);
  });

  it('is shortened when the provider finds it too long', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({
      script: [
        `Once upon a time ${'there was a wolf '.repeat(100)}`,
        { error: 'context_too_long' },
        { error: 'context_too_long' },
        'A wolf.',
        'It lived on.',
      ],
    });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('tell me a story').result;
    expect((await session.prompt('and then?').result).text).toBe('It lived on.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('A wolf.');
  });

  it('stays as it is when the summary fails, and says so', async () => {
    const project = await makeProject();
    const { env } = await startModel({ script: ['Hello.', { error: 'auth' }, 'Still here.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('hello').result;
    await session.prompt('/compact').result;
    const compactions = session.transcript.entries.toArray().filter(({ type }) => type === 'compaction');
    expect(compactions).toMatchObject([{ status: 'failed' }]);
    expect((await session.prompt('there?').result).text).toBe('Still here.');
  });
});

describe('a client that knows no notices', () => {
  it('is told of retries in the conversation, and the model is not', async () => {
    const project = await makeProject();
    const { env, server } = await startModel({ script: [{ error: 'overloaded' }, 'Hello.', 'Again.'] });
    const [near, far] = createMemoryPair();
    const served = createCodingAgent({ env, discover: { localServers: [] } }).serve(far);
    const connection = createConnection(near);
    onTestFinished(async () => {
      await connection.close();
      await served;
    });
    const updates: SessionUpdate[] = [];
    connection.onNotification(
      'session/update',
      (params) => void updates.push((params as { update: SessionUpdate }).update),
    );
    await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await connection.request<{ sessionId: string }>('session/new', {
      cwd: project.path,
      mcpServers: [],
    });
    const prompt = (text: string) =>
      connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await prompt('hello');
    const said = updates.flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
    );
    expect(said.join('')).toMatch(/^> \*\*The model did not answer; trying again in .* s\*\*: .*\n\nHello\.$/);
    await prompt('again');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('did not answer');
  });
});
