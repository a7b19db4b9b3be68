import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Connection, createConnection } from '@parley/jsonrpc';
import type { SessionNotification } from '@parley/protocol';
import { spawnProcess } from '@parley/transports/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

/** An example in a process of its own, and the far end of its pipes. */
async function start(name: string, ...args: string[]): Promise<Spawned> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const transport = await spawnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=source', program, ...args],
    recordsDir: false,
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

describe('the examples', () => {
  it('echo-agent says what you said', async () => {
    await using agent = await start('echo-agent.ts');
    const sessionId = await agent.newSession({});
    expect(await agent.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
    expect(agent.updates).toMatchObject([
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'You said: hello' } },
    ]);
  });

  it('reviewer-agent reads, asks, runs the tests and plans', async () => {
    await using agent = await start('reviewer-agent.ts', join(folder, 'sessions.db'));
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
