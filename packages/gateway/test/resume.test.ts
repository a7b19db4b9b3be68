import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentSource, connect, type TranscriptEvent } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import type { Transport } from '@parley/jsonrpc';
import { sqliteStore } from '@parley/store/sqlite';
import { buildStoreProgram } from '@parley/testing/build-program';
import { END_TURN } from '@parley/testing/scripted-agent';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

const GATEWAY = new URL('./support/gateway-process.ts', import.meta.url);

const MANY = {
  on: {
    'session/prompt': [
      {
        do: 'repeat',
        times: 200,
        steps: [
          { do: 'say', text: '$index,', messageId: 'm-$index' },
          { do: 'wait', ms: 1 },
        ],
      },
      END_TURN,
    ],
  },
} as const;

const NUMBERS = Array.from({ length: 200 }, (_, index) => `${index},`).join('');

describe('a client that is cut off', () => {
  it('goes on by itself with every event that it missed, once and in order, and with the end of its prompt', async () => {
    const hosted = host(scripted(MANY));
    let wire: Transport | undefined;
    const source: AgentSource = {
      name: 'the gateway',
      async open() {
        const [near, far] = createMemoryPair();
        wire = far;
        void hosted.serve(far);
        return { transport: near };
      },
    };
    const connection = await connect(source, { reconnect: true });
    onTestFinished(() => connection.close());
    const session = await connection.newSession({ cwd: process.cwd() });
    let text = '';
    let cuts = 0;
    session.on('event', (event: TranscriptEvent) => {
      if (event.type !== 'message_chunk' || event.speaker !== 'agent' || event.content.type !== 'text') return;
      text += event.content.text;
      const seen = text.split(',').length;
      if (cuts < 4 && seen > 30 * (cuts + 1)) {
        cuts += 1;
        void wire?.close();
      }
    });
    const { stopReason } = await session.prompt('count').result;
    expect(stopReason).toBe('end_turn');
    expect(cuts).toBe(4);
    expect(text).toBe(NUMBERS);
  }, 60_000);

  it('leaves its turn running, and who loads the session later sees all of it', async () => {
    const hosted = host(scripted(MANY));
    const gone = await rawClient(hosted);
    const sessionId = await gone.open();
    void gone.prompt(sessionId, 'count').catch(() => {});
    await until(() => gone.updates.length > 5);
    await gone.connection.close();
    const late = await rawClient(hosted);
    await late.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    await until(() => late.said().length >= NUMBERS.length);
    expect(late.said()).toBe(NUMBERS);
  }, 60_000);

  it('sees the same as another viewer that stays', async () => {
    const hosted = host(scripted(MANY));
    const [one, two] = [await rawClient(hosted), await rawClient(hosted)];
    const sessionId = await one.open();
    await two.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    await one.prompt(sessionId, 'count');
    await until(() => two.said() === NUMBERS);
    expect(one.said()).toBe(NUMBERS);
    expect(two.updates[0]).toMatchObject({ sessionUpdate: 'user_message_chunk', content: { text: 'count' } });
  }, 60_000);
});

describe('a gateway that is killed', () => {
  it('leaves its sessions to the next: the turn that ran is interrupted, and the session goes on at the agent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const script = {
      capabilities: { loadSession: true },
      on: {
        'session/load': [{ do: 'respond', result: {} }],
        'session/prompt': [{ do: 'say', text: '$sessionId:$prompt' }, { do: 'waitFor', method: '_go' }, END_TURN],
      },
    } as const;
    // The gateway starts the agent by the command line that names it.
    const gateway = await buildStoreProgram(GATEWAY);
    const args = [gateway.path, join(folder, 'log.db'), scripted(script).name];
    const start = (): AgentSource => spawnAgent(process.execPath, args);

    const killed = start();
    let pid: number | undefined;
    const wired: AgentSource = {
      ...killed,
      open: async (signal) => {
        const wire = await killed.open(signal);
        pid = (wire.transport as unknown as { process: { pid: number } }).process.pid;
        return wire;
      },
    };
    const first = await connect(wired);
    const session = await first.newSession({ cwd: folder });
    const running = session.prompt('one').result.catch((error: unknown) => error);
    await until(() => session.transcript.entries.length > 1);
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await running).toBeInstanceOf(Error);
    await first.close();

    const second = await connect(start());
    onTestFinished(() => second.close());
    const again = await second.loadSession(session.id, { cwd: folder });
    expect(JSON.stringify([...again.transcript.entries])).toContain('s1:one');
    const turn = again.prompt('two');
    const events: string[] = [];
    const reading = (async () => {
      for await (const event of turn) if (event.type === 'text') events.push(event.text);
    })();
    await until(() => events.join('') === 's1:two');
    second.notify('_go', { sessionId: session.id });
    await turn.result;
    await reading;
    // The prompt that was interrupted ran once: the agent behind the second gateway never saw it.
    expect(events.join('')).toBe('s1:two');
    await second.close();
    await using store = sqliteStore({ path: join(folder, 'log.db') });
    const ends: unknown[] = [];
    for await (const { kind, body } of store.log('local').read(session.id)) if (kind === 'turn_end') ends.push(body);
    expect(ends).toMatchObject([
      { error: { message: expect.stringContaining('ended before the turn did') } },
      { stopReason: 'end_turn' },
    ]);
  }, 60_000);
});
