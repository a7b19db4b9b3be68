import { agent } from '@parley/agent';
import { type AgentSource, connect, type Transcript } from '@parley/client';
import type { Transport } from '@parley/jsonrpc';
import { trimTurns } from '@parley/session/log';
import type { SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../src/index.ts';
import { inProcess, until } from './support/hosting.ts';

const TOKEN = 'open-sesame';

function texts({ entries }: Transcript): string[] {
  return entries.toArray().map((entry) => ('text' in entry ? entry.text : 'title' in entry ? entry.title : entry.type));
}

async function keepOneTurn(store: SessionStore, sessionId: string): Promise<void> {
  for (const principal of await store.principals()) {
    const log = store.log(principal);
    if (await log.get(sessionId)) await trimTurns({ log, sessionId, keep: { turns: 1 } });
  }
}

describe.each([1, 2] as const)('a client of version %d that was cut off for long', (version) => {
  it('loads the session as a whole by itself when its place is no longer kept, with nothing twice', async () => {
    const store = memoryStore({ isShared: true });
    const echo = inProcess(() =>
      agent({ name: 'echo', version: '1' }).onPrompt(async (turn) => void turn.say(`<${turn.text}>`)),
    );
    const server = gateway({ store, agents: { echo }, onDiagnostic: () => {} });
    const listener = await server.listen({ port: 0, token: TOKEN });
    onTestFinished(async () => {
      await listener.close({ graceMs: 100 });
      await server.close();
    });
    const dialled = webSocketAgent(listener.url.replace(/^http/, 'ws'), { token: TOKEN });
    let wire: Transport | undefined;
    let mayDial = Promise.resolve();
    const source: AgentSource = {
      name: 'the gateway',
      async open(signal) {
        await mayDial;
        const opened = await dialled.open(signal);
        wire = opened.transport;
        return opened;
      },
    };
    const connection = await connect(source, { reconnect: true, protocol: version });
    onTestFinished(() => connection.close());
    const session = await connection.newSession({ cwd: process.cwd() });
    await session.prompt('one').result;
    await session.prompt('two').result;

    let dial = (): void => {};
    mayDial = new Promise((resolve) => {
      dial = resolve;
    });
    await wire?.close();
    await until(() => session.state === 'lost');
    const other = await connect(dialled);
    onTestFinished(() => other.close());
    const elsewhere = await other.loadSession(session.id, { cwd: process.cwd() });
    await elsewhere.prompt('three').result;
    await elsewhere.prompt('four').result;
    await keepOneTurn(store, session.id);
    dial();
    await until(() => session.state === 'idle');

    const common = ['four', '<four>'];
    expect(texts(session.transcript)).toEqual([
      'one',
      '<one>',
      'two',
      '<two>',
      '3 earlier turns are no longer kept',
      ...common,
    ]);
    await session.prompt('five').result;
    expect(texts(session.transcript).slice(-4)).toEqual([...common, 'five', '<five>']);

    // Whoever comes now is told what is kept; whoever has some of it goes on with that.
    const fresh = await connect(dialled);
    onTestFinished(() => fresh.close());
    const told = await fresh.loadSession(session.id, { cwd: process.cwd() });
    expect(texts(told.transcript)).toEqual(['3 earlier turns are no longer kept', ...common, 'five', '<five>']);
  }, 60_000);
});
