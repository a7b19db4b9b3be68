import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, methods, ndJsonStream, type SessionNotification } from '@agentclientprotocol/sdk';
import { areGone } from '@parley/testing/processes';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';
import { useAgentProcesses } from './agent-process.ts';
import { childrenOf } from './processes.ts';

const agents = useAgentProcesses();

describe('the program', () => {
  it('keeps its sessions where all of Parley does, and ends when its input does, with all it has started', async () => {
    const project = await agents.project();
    const { connection, pid } = await agents.start({ permissions: { ask: () => 'allow' } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('run `sleep 1000` in the background').result;
    const children = childrenOf(pid);
    expect(children.length).toBeGreaterThan(0);
    await connection.close();
    expect(await areGone([pid, ...children], 5000)).toBe(true);
    const { env } = await agents.command();
    expect(existsSync(join(env.XDG_STATE_HOME ?? '', 'parley/sessions.db'))).toBe(true);
  });

  it('writes nothing but messages to stdout, and says who it is', async () => {
    const { file, env } = await agents.command();
    const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: 1, clientCapabilities: {} },
    };
    child.stdin.end(`${JSON.stringify(initialize)}\n`);
    const [code] = await once(child, 'close');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(output)).toMatchObject({
      result: {
        agentInfo: { name: 'parley', title: 'Parley', version: VERSION },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: true, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
        },
      },
    });
  });

  it('has the version of its package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(VERSION).toBe(version);
  });
});

describe("the official SDK's client", () => {
  it('drives real turns: a question, an edit with permission, a mode, a command and a cancel', async () => {
    const project = await agents.project({ 'a.txt': 'before' });
    const { file, env } = await agents.command();
    const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const updates: SessionNotification['update'][] = [];
    const asked: string[] = [];
    const connection = client({ name: 'sdk' })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        asked.push(params.toolCall.title ?? '');
        const option = params.options.find(({ kind }) => kind === 'allow_once');
        return { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } };
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
          Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
        ),
      );
    const { agent } = connection;
    const said = (): string =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join('');

    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: project.path, mcpServers: [] });
    const prompt = (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
    expect(await prompt('read a.txt')).toMatchObject({ stopReason: 'end_turn' });
    expect(said()).toContain('before');
    expect(await prompt('replace "before" with "after" in a.txt')).toMatchObject({ stopReason: 'end_turn' });
    expect(asked).toEqual(['Edit a.txt']);
    expect(await project.read('a.txt')).toBe('after');

    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'ask' });
    expect(await prompt('/mode')).toMatchObject({ stopReason: 'end_turn' });
    expect(said()).toContain('(now **ask**)');
    const running = prompt('run `touch started; sleep 1000`');
    while (!existsSync(project.at('started'))) await sleep(10);
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await running).toMatchObject({ stopReason: 'cancelled' });

    const exited = once(child, 'exit');
    connection.close();
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
  });
});
