import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Connection, createConnection } from '@parley/jsonrpc';
import type { SessionNotification } from '@parley/protocol';
import { type FakeModelServer, type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { spawnProcess } from '@parley/transports/process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-examples-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

interface Spawned extends AsyncDisposable {
  readonly connection: Connection;
  readonly updates: SessionNotification['update'][];
  readonly newSession: (clientCapabilities: object) => Promise<string>;
  readonly prompt: (sessionId: string, text: string) => Promise<unknown>;
}

interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** An example in a process of its own, and the far end of its pipes. */
async function start(name: string, { args = [], env }: StartOptions = {}): Promise<Spawned> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const transport = await spawnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=source', program, ...args],
    recordsDir: false,
    ...(env && { env }),
  });
  const connection = createConnection(transport);
  const updates: SessionNotification['update'][] = [];
  connection.onNotification('session/update', (params) => {
    updates.push((params as SessionNotification).update);
  });
  return {
    connection,
    updates,
    async newSession(clientCapabilities) {
      await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
      const { sessionId } = await connection.request<{ sessionId: string }>('session/new', {
        cwd: folder,
        mcpServers: [],
      });
      return sessionId;
    },
    prompt: (sessionId, text) => connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

async function startModel(...script: Reply[]): Promise<FakeModelServer> {
  const server = await startFakeModelServer({ script });
  onTestFinished(() => server.close());
  return server;
}

describe('the examples', () => {
  it('agents-as-tools lets the model call another agent', async () => {
    const call = { type: 'tool_call', name: 'agent', input: { name: 'echo', prompt: 'hello' } } as const;
    const model = await startModel({ events: [call] }, 'It said hello.');
    const env = { ...process.env, PARLEY_BASE_URL: `${model.url}/v1`, PARLEY_MODEL: 'fake-model' };
    await using agent = await start('agents-as-tools.ts', { env });
    const sessionId = await agent.newSession({});
    expect(await agent.prompt(sessionId, 'ask echo')).toMatchObject({ stopReason: 'end_turn' });
    expect(JSON.stringify(model.requests[1]?.body)).toContain('You said: hello');
  });

  it('echo-agent says what you said', async () => {
    await using agent = await start('echo-agent.ts');
    const sessionId = await agent.newSession({});
    expect(await agent.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
    expect(agent.updates).toMatchObject([
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'You said: hello' } },
    ]);
  });

  it('steered-agent heeds what is said while it counts', async () => {
    await using agent = await start('steered-agent.ts');
    const sessionId = await agent.newSession({});
    const counting = agent.prompt(sessionId, 'count to 1000000');
    const stop = agent.connection.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'stop' }],
      _meta: { 'parley/whenBusy': 'steer' },
    });
    expect(await Promise.all([counting, stop])).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
    expect(agent.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'stop' } }),
    );
  });

  it('reviewer-agent reads, asks, runs the tests and plans', async () => {
    await using agent = await start('reviewer-agent.ts', { args: [join(folder, 'sessions.db')] });
    const { connection, updates } = agent;
    const asked: string[] = [];
    let answer = 'allow_once';
    connection.onAnyRequest(({ method, params }) => {
      asked.push(method);
      if (method === 'fs/read_text_file') {
        expect(params).toMatchObject({ path: join(folder, 'package.json') });
        return { content: JSON.stringify({ name: 'demo', scripts: { test: 'exit 1' } }) };
      }
      if (method === 'session/request_permission') return { outcome: { outcome: 'selected', optionId: answer } };
      if (method === 'terminal/create') return { terminalId: 't1' };
      return method === 'terminal/wait_for_exit' ? { exitCode: 1 } : {};
    });
    const sessionId = await agent.newSession({ fs: { readTextFile: true }, terminal: true });
    expect(await agent.prompt(sessionId, '/review')).toEqual({ stopReason: 'end_turn' });
    expect(asked).toEqual([
      'fs/read_text_file',
      'session/request_permission',
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/release',
    ]);
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'available_commands_update',
      'tool_call',
      'tool_call_update',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'plan',
    ]);
    answer = 'reject_once';
    expect(await agent.prompt(sessionId, '/review')).toEqual({ stopReason: 'end_turn' });
    expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'failed' });
  });
});
