import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientOffersFromV1, META } from '@parley/session';
import type { SessionStore } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostOptions } from '../src/index.ts';
import { connectTo, host, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();
const NO_OFFERS = clientOffersFromV1({}, false);

const remembers: AgentScript = {
  capabilities: { sessionCapabilities: { resume: {} } },
  on: {
    'session/new': [{ do: 'respond', result: { sessionId: 'theirs' } }],
    'session/resume': [{ do: 'respond', result: {} }],
    'session/prompt': sayAndEnd('$sessionId heard $prompt'),
  },
};

/** Stores of two processes on one file. */
function openStores(): readonly [SessionStore, SessionStore] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
  const open = (): SessionStore => sqliteStore({ path: join(folder, 'sessions.db') });
  const stores = [open(), open()] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return stores;
}

const inProgram = (store: SessionStore, reserves: 'opening' | 'open' = 'open'): HostOptions => ({
  store,
  processes: 'shared',
  rememberBy: 'nothing',
  embedded: { reserves },
});

describe('a host inside the program of its only client', () => {
  it('starts the agent before the client comes, and says why it does not start', async () => {
    const hosted = host(scripted(remembers), { embedded: { reserves: 'opening' } });
    expect((await hosted.start(NO_OFFERS)).protocolVersion).toBe(1);
    expect((await connectTo(hosted, { protocol: 'auto' })).protocolVersion).toBe(1);
    const broken = host(scripted({ on: { initialize: [{ do: 'exit', code: 3 }] } }), {
      embedded: { reserves: 'opening' },
    });
    await expect(broken.start(NO_OFFERS)).rejects.toMatchObject({ code: 'agent_exited', exitCode: 3 });
  });

  it("opens a stored session at the agent at once, and tells the client the agent's own id", async () => {
    const [store] = openStores();
    const first = await connectTo(host(scripted(remembers), inProgram(store)));
    const made = await first.newSession({ cwd: '/' });
    expect(made.meta).toMatchObject({ [META.agentSessionId]: 'theirs' });
    await first.close();
    const lost = { ...remembers.on, 'session/resume': [{ do: 'fail', code: -32603, message: 'Not now' } as const] };
    const second = await connectTo(host(scripted({ ...remembers, on: lost }), inProgram(store)), { retry: false });
    await expect(second.resumeSession(made.id, { cwd: '/' })).rejects.toThrow('Not now');
  });

  it('refuses a session that the agent cannot open again', async () => {
    const [store] = openStores();
    const forgets: AgentScript = { on: { 'session/prompt': sayAndEnd('hi') } };
    const first = await connectTo(host(scripted(forgets), inProgram(store)));
    const { id } = await first.newSession({ cwd: '/' });
    await first.close();
    const second = await connectTo(host(scripted(forgets), inProgram(store)));
    await expect(second.loadSession(id, { cwd: '/' })).rejects.toMatchObject({ data: { reason: 'cannot_reopen' } });
  });

  it('takes the conversation of a session that it is to take over into the log, once', async () => {
    const [store] = openStores();
    const chunk = (sessionUpdate: string, text: string) => ({
      do: 'update' as const,
      update: { sessionUpdate, content: { type: 'text', text } },
    });
    const told = [chunk('user_message_chunk', 'before'), chunk('agent_message_chunk', 'I know')];
    const loads: AgentScript = {
      capabilities: { loadSession: true },
      on: { 'session/load': [...told, { do: 'respond', result: {} }], 'session/prompt': sayAndEnd('and now') },
    };
    await store.log().create({ id: 'taken', cwd: '/', metadata: { state: { hosted: { sessionId: 'theirs' } } } });
    for (let time = 1; time <= 2; time += 1) {
      const connection = await connectTo(host(scripted(loads), inProgram(store)));
      const session = await connection.loadSession('taken', { cwd: '/' });
      const said = session.transcript.entries
        .toArray()
        .flatMap((entry) => (entry.type === 'message' ? [entry.text] : []));
      expect(said).toEqual(['before', 'I know']);
      await connection.close();
    }
  });

  it('keeps a session to its process while it is open, and runs prompts of other processes there', async () => {
    const [here, there] = openStores();
    const first = await connectTo(host(scripted(remembers), inProgram(here)), {}, { whenClientLeaves: 'keep' });
    const session = await first.newSession({ cwd: '/' });
    expect((await there.log().get(session.id))?.isHeld).toBe(true);
    const second = await connectTo(host(scripted(remembers), inProgram(there, 'opening')));
    const same = await second.resumeSession(session.id, { cwd: '/' });
    const { text } = await same.prompt('from elsewhere', { meta: { [META.whenBusy]: 'queue' } }).result;
    expect(text).toBe('theirs heard from elsewhere');
    expect(session.transcript.entries.toArray().at(-1)).toMatchObject({ text: 'theirs heard from elsewhere' });
  });

  it('gives a session free with the end of its first turn where that is wanted', async () => {
    const [here, there] = openStores();
    const first = await connectTo(host(scripted(remembers), inProgram(here, 'opening')));
    const session = await first.newSession({ cwd: '/' });
    expect((await there.log().get(session.id))?.isHeld).toBe(true);
    await session.prompt('one').result;
    await expect.poll(async () => (await there.log().get(session.id))?.isHeld).toBe(false);
  });
});
