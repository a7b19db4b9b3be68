import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, Turn } from '@parley/client';
import { type FakeModelServer, type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { areGone, isRunning } from '@parley/testing/processes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Project, type StartOptions, useAgentProcesses } from './agent-process.ts';

const agents = useAgentProcesses();
const EVERYTHING = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

interface Scene {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  readonly project: Project;
}

async function open(
  script: readonly Reply[],
  options: StartOptions = {},
  mcpServers: never[] | object[] = [],
): Promise<Scene> {
  const server = await startFakeModelServer({ script });
  onTestFinished(() => server.close());
  const project = await agents.project({ 'a.txt': 'before' });
  const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
  const { connection } = await agents.start({ ...options, env });
  const session = await connection.newSession({ cwd: project.path, mcpServers: mcpServers as never[] });
  await session.setOption('permissions', options.permissions ? 'default' : 'bypassPermissions');
  return { session, server, project };
}

/** Cancels, and expects what must hold at whatever moment it was. */
async function cancelCleanly({ session, server }: Scene, turn: Turn): Promise<void> {
  await turn.cancel();
  const { stopReason, isForced, toolCalls } = await turn.result;
  expect({ stopReason, isForced }).toEqual({ stopReason: 'cancelled', isForced: false });
  for (const { status } of toolCalls) expect(['completed', 'failed', 'cancelled']).toContain(status);
  server.add({ events: [{ type: 'text', text: 'Still here.' }], when: { contains: 'are you there?' } });
  expect(await session.prompt('are you there?').result).toMatchObject({ stopReason: 'end_turn', text: 'Still here.' });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

const call = (name: string, input: object): Reply => ({ events: [{ type: 'tool_call', name, input }] });

describe('a turn that is cancelled', () => {
  it('while the model has not begun to answer', async () => {
    const scene = await open([{ events: [{ type: 'stall' }] }]);
    const turn = scene.session.prompt('go');
    const request = await scene.server.waitForRequest(0);
    await cancelCleanly(scene, turn);
    expect(await request.ended).toBe('aborted');
  });

  it('while the model streams: what it said stays, and the model hears that it did', async () => {
    const scene = await open([{ events: [{ type: 'text', text: 'Once upon' }, { type: 'stall' }] }]);
    const turn = scene.session.prompt('go');
    for await (const event of turn) if (event.type === 'text') break;
    await cancelCleanly(scene, turn);
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain('Once upon');
  });

  it('while it waits to try again', async () => {
    const scene = await open([{ error: 'rate_limit', retryAfterSeconds: 30 }]);
    const turn = scene.session.prompt('go');
    for await (const event of turn) if (event.type === 'notice') break;
    await cancelCleanly(scene, turn);
  });

  it('while a command runs: it is dead with all it has started', async () => {
    const script = "trap '' TERM; sleep 1000 & echo $! > pids; echo $$ >> pids; wait; sleep 1000";
    const scene = await open([call('run_command', { command: script })]);
    const turn = scene.session.prompt('go');
    await until(() => existsSync(scene.project.at('pids')));
    let pids: number[] = [];
    while (pids.length < 2) pids = (await scene.project.read('pids')).trim().split('\n').map(Number);
    await cancelCleanly(scene, turn);
    expect(await areGone(pids, 2000)).toBe(true);
  });

  it("while a command runs in the client's terminal", async () => {
    const scene = await open([call('run_command', { command: 'echo $$ > pid; sleep 1000' })], { terminals: true });
    const turn = scene.session.prompt('go');
    await until(() => existsSync(scene.project.at('pid')));
    await cancelCleanly(scene, turn);
    const pid = Number(await scene.project.read('pid'));
    await until(() => !isRunning(pid));
  });

  it('while the person is asked: nothing is written', async () => {
    let ask = (): void => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const scene = await open([call('write_file', { path: 'a.txt', content: 'after' })], {
      permissions: {
        ask: () => {
          ask();
          return new Promise(() => {});
        },
      },
    });
    const turn = scene.session.prompt('go');
    await asked;
    await cancelCleanly(scene, turn);
    expect(await scene.project.read('a.txt')).toBe('before');
  });

  it('while an MCP server works', async () => {
    const scene = await open(
      [call('mcp__everything__trigger-long-running-operation', { duration: 60, steps: 60 })],
      {},
      [{ name: 'everything', command: process.execPath, args: [EVERYTHING, 'stdio'], env: [] }],
    );
    const turn = scene.session.prompt('go');
    for await (const event of turn) {
      if (event.type === 'tool_call' && event.toolCall.status === 'in_progress') break;
    }
    await cancelCleanly(scene, turn);
  });

  it('while an MCP server starts', async () => {
    const silent = 'require("fs").writeFileSync("started", ""); process.stdin.resume()';
    const scene = await open([], {}, [{ name: 'silent', command: process.execPath, args: ['-e', silent], env: [] }]);
    const turn = scene.session.prompt('go');
    await until(() => existsSync(scene.project.at('started')));
    await turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(scene.server.requests).toHaveLength(0);
  });

  it('while the conversation is shortened', async () => {
    const scene = await open(['A long story.', { events: [{ type: 'text', text: 'Sum' }, { type: 'stall' }] }]);
    await scene.session.prompt('tell me').result;
    const turn = scene.session.prompt('/compact');
    await scene.server.waitForRequest(1);
    await cancelCleanly(scene, turn);
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain('A long story.');
    const compactions = scene.session.transcript.entries.toArray().filter(({ type }) => type === 'compaction');
    expect(compactions).toMatchObject([{ status: 'cancelled' }]);
  });

  it('while a question is open', async () => {
    let ask = (): void => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const scene = await open([call('ask_user', { question: 'Why?' })], {
      elicitation: {
        form: () => {
          ask();
          return new Promise(() => {});
        },
      },
    });
    const turn = scene.session.prompt('go');
    await asked;
    await cancelCleanly(scene, turn);
  });

  it('knows of each call what came of it', async () => {
    const scene = await open([
      {
        events: [
          { type: 'tool_call', name: 'write_file', input: { path: 'done.txt', content: 'x' } },
          { type: 'tool_call', name: 'run_command', input: { command: 'touch started; sleep 1000' } },
          { type: 'tool_call', name: 'write_file', input: { path: 'never.txt', content: 'x' } },
        ],
      },
    ]);
    const turn = scene.session.prompt('go');
    await until(() => existsSync(scene.project.at('started')));
    await cancelCleanly(scene, turn);
    expect(existsSync(scene.project.at('never.txt'))).toBe(false);
    const body = JSON.stringify(scene.server.requests.at(-1)?.body);
    expect(body).toContain('Created done.txt');
    expect(body.split('interrupted before it finished')).toHaveLength(3);
    // What the cancelled turn did is undone like any other.
    await scene.session.prompt('/undo').result;
    expect(existsSync(scene.project.at('done.txt'))).toBe(false);
  });

  it('at any moment at all leaves a whole file and a usable session', async () => {
    const scene = await open([]);
    for (let delayMs = 0; delayMs < 60; delayMs += 6) {
      const content = `${delayMs}\n`.repeat(50_000);
      const old = await scene.project.read('a.txt');
      // A cancelled round may have left its reply, which fits this round's request too: it repeats the prompt that got no answer.
      scene.server.clear();
      scene.server.add({
        ...(call('write_file', { path: 'a.txt', content }) as object),
        when: { contains: `round ${delayMs}` },
      } as Reply);
      scene.server.add({ events: [{ type: 'text', text: 'Done.' }], when: { hasToolResult: true } });
      const turn = scene.session.prompt(`round ${delayMs}`);
      await sleep(delayMs);
      await turn.cancel();
      expect((await turn.result).isForced).toBe(false);
      expect([old, content]).toContain(await scene.project.read('a.txt'));
    }
    scene.server.clear();
    scene.server.add({ events: [{ type: 'text', text: 'Yes.' }], when: { contains: 'there?' } });
    expect((await scene.session.prompt('still there?').result).text).toBe('Yes.');
  });
});
