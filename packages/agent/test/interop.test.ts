import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type ClientContext, client, methods, ndJsonStream, type SessionNotification } from '@agentclientprotocol/sdk';
import { buildStoreProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const AGENT = new URL('./interop-agent.ts', import.meta.url);

let folder = '';
let shared: Connected;
/** The kind of option that the person chooses. */
let choice = 'allow_once';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-interop-'));
  shared = await connectSdkClient();
  await initialize(shared);
});

afterAll(async () => {
  await shared.close();
  await rm(folder, { recursive: true });
});

interface Connected {
  readonly agent: ClientContext;
  readonly updates: SessionNotification['update'][];
  /** Everything that the agent wrote to its stdout and stderr. */
  readonly output: { stdout: string; stderr: string };
  readonly asked: string[];
  readonly said: () => string;
  /** Ends the agent's input and waits for its process to end in good order. */
  readonly close: () => Promise<void>;
}

/** The official SDK's client, with real files and real processes, over the pipes of a real agent process. */
async function connectSdkClient(): Promise<Connected> {
  const { path } = await buildStoreProgram(AGENT);
  const child = spawn(process.execPath, [path, join(folder, 'sessions.db')], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const updates: SessionNotification['update'][] = [];
  const asked: string[] = [];
  const terminals = new Map<
    string,
    { output: string; exit: Promise<{ exitCode: number | null; signal: string | null }> }
  >();
  const find = (terminalId: string) => {
    const terminal = terminals.get(terminalId);
    if (!terminal) throw new Error(`no terminal ${terminalId}`);
    return terminal;
  };
  const app = client({ name: 'sdk' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params.toolCall.title ?? '');
      const option = params.options.find(({ kind }) => kind === choice);
      return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({ content: await readFile(params.path, 'utf8') }))
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      await writeFile(params.path, params.content);
    })
    .onRequest(methods.client.terminal.create, ({ params }) => {
      const terminalId = `terminal-${terminals.size}`;
      const running = spawn(params.command, params.args ?? [], { stdio: ['ignore', 'pipe', 'pipe'] });
      const terminal = {
        output: '',
        exit: new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
          running.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
        }),
      };
      running.stdout.on('data', (chunk: Buffer) => {
        terminal.output += chunk.toString();
      });
      terminals.set(terminalId, terminal);
      return { terminalId };
    })
    .onRequest(methods.client.terminal.output, ({ params }) => ({
      output: find(params.terminalId).output,
      truncated: false,
    }))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => find(params.terminalId).exit)
    .onRequest(methods.client.terminal.release, ({ params }) => {
      find(params.terminalId);
      terminals.delete(params.terminalId);
    });

  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  return {
    agent: connection.agent,
    updates,
    output,
    asked,
    said: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join(''),
    async close() {
      expect([...terminals]).toEqual([]);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      connection.close();
      child.stdin.end();
      expect(await exited).toBe(0);
    },
  };
}

async function initialize({ agent }: Connected) {
  return agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} } },
    },
  });
}

/** A new session, with what was heard before it forgotten. */
async function newSession({ agent, updates, asked }: Connected): Promise<string> {
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  while (!updates.some(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')) await tick();
  updates.splice(0);
  asked.splice(0);
  return sessionId;
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

const prompt = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

describe('the official SDK as the client of an agent process', () => {
  it('rule 3: finds nothing but messages on the agent’s stdout', async () => {
    const { agent, output, said } = shared;
    const sessionId = await newSession(shared);
    expect(await prompt(agent, sessionId, 'say one two three')).toEqual({ stopReason: 'end_turn' });
    expect(said()).toBe('one two three ');
    for (const line of output.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
    while (!output.stderr.includes('another stray line')) await tick();
    expect(output.stderr).toContain('a stray line');
  });

  it('asks for files and permission, and sees the diff', async () => {
    const { agent, asked, updates } = shared;
    const path = join(folder, 'greeting.txt');
    await writeFile(path, 'hello');
    const sessionId = await newSession(shared);
    expect(await prompt(agent, sessionId, `edit ${path}`)).toEqual({ stopReason: 'end_turn' });
    expect(asked).toEqual([`Edit ${path}`]);
    expect(await readFile(path, 'utf8')).toBe('HELLO');
    const diff = { type: 'diff', path, oldText: 'hello', newText: 'HELLO' };
    expect(updates).toMatchObject([
      { sessionUpdate: 'tool_call', kind: 'edit', status: 'pending', content: [diff] },
      { sessionUpdate: 'tool_call_update', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
    ]);
  });

  it('rejects, and nothing is written', async () => {
    const path = join(folder, 'kept.txt');
    await writeFile(path, 'keep');
    choice = 'reject_once';
    const sessionId = await newSession(shared);
    await prompt(shared.agent, sessionId, `edit ${path}`);
    choice = 'allow_once';
    expect(shared.updates.at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'failed' });
    expect(await readFile(path, 'utf8')).toBe('keep');
  });

  it('runs commands for the agent in its terminals', async () => {
    const sessionId = await newSession(shared);
    await prompt(shared.agent, sessionId, `run ${process.execPath} -p 6*7`);
    expect(shared.said()).toBe('42\n');
    expect(shared.updates).toContainEqual(
      expect.objectContaining({ status: 'in_progress', content: [{ type: 'terminal', terminalId: 'terminal-0' }] }),
    );
  });

  it('sets modes and options', async () => {
    const { agent, said } = shared;
    const sessionId = await newSession(shared);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'edits' });
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: 'model', value: 'large' });
    const { configOptions } = await agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: 'fast',
      type: 'boolean',
      value: true,
    });
    expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ['mode', 'edits'],
      ['model', 'large'],
      ['fast', true],
    ]);
    await prompt(agent, sessionId, 'settings');
    expect(JSON.parse(said())).toEqual({ mode: 'edits', options: { model: 'large', fast: true } });
  });

  it('cancels a turn, and goes on in the same session', async () => {
    const { agent, updates, said } = shared;
    const sessionId = await newSession(shared);
    const waiting = prompt(agent, sessionId, 'wait');
    while (!updates.some(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')) await tick();
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect(await prompt(agent, sessionId, 'say again')).toEqual({ stopReason: 'end_turn' });
    expect(said()).toBe('again ');
  });

  it('lists, loads, resumes, closes and deletes sessions of an earlier process', async () => {
    const sessionId = await newSession(shared);
    await prompt(shared.agent, sessionId, 'say remember me');
    await shared.close();

    shared = await connectSdkClient();
    const { agent, updates, said } = shared;
    await initialize(shared);
    const { sessions } = await agent.request(methods.agent.session.list, { cwd: folder });
    expect(sessions.find((each) => each.sessionId === sessionId)).toMatchObject({
      title: 'say remember me',
      cwd: folder,
    });
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
      'available_commands_update',
    ]);
    expect(said()).toBe('remember me ');
    expect(await agent.request(methods.agent.session.close, { sessionId })).toEqual({});
    updates.splice(0);
    await agent.request(methods.agent.session.resume, { sessionId, cwd: folder, mcpServers: [] });
    expect(await prompt(agent, sessionId, 'say more')).toEqual({ stopReason: 'end_turn' });
    expect(said()).toBe('more ');
    expect(await agent.request(methods.agent.session.delete, { sessionId })).toEqual({});
    const after = await agent.request(methods.agent.session.list, { cwd: folder });
    expect(after.sessions.map((each) => each.sessionId)).not.toContain(sessionId);
  });
});
