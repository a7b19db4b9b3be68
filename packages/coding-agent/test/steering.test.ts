import type { ClientSession } from '@parley/client';
import type { FakeEvent, FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const write: FakeEvent = { type: 'tool_call', name: 'write_file', input: { path: 'a.txt', content: 'new' } };

interface Scene {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  reload(): Promise<ClientSession>;
}

/** A session in which `meanwhile` happens while the agent asks whether it may write. */
async function open(script: readonly Reply[], meanwhile: (session: ClientSession) => void): Promise<Scene> {
  const { path } = await makeProject({ 'a.txt': 'old' });
  const { env, server } = await startModel({ script });
  let session: ClientSession | undefined;
  const connection = await startInProcess({
    agent: { env },
    permissions: {
      ask: async () => {
        if (session) meanwhile(session);
        // What was sent before these were asked has arrived.
        for (let trips = 0; trips < 3; trips++) await connection.listSessions();
        return 'allow' as const;
      },
    },
  });
  session = await connection.newSession({ cwd: path });
  const opened = session;
  return {
    session,
    server,
    async reload() {
      await opened.close();
      return connection.loadSession(opened.id, { cwd: path });
    },
  };
}

function messagesIn({ requests }: FakeModelServer, request: number): readonly { readonly role?: string }[] {
  return ((requests.at(request)?.body ?? {}) as { messages?: readonly { role?: string }[] }).messages ?? [];
}

describe('what the person says while a turn of the coding agent runs', () => {
  it('is in the next request behind the result of the tool, and a loaded session sends the same', async () => {
    const scene = await open([{ events: [write] }, 'Both done.', 'Living.', 'Loaded.'], (session) => {
      session.prompt('and mind the tests', { whenBusy: 'steer' });
    });
    const { session, server } = scene;
    expect((await session.prompt('write').result).text).toBe('Both done.');
    expect(server.requests).toHaveLength(2);
    const asked = messagesIn(server, 1);
    const words = asked.findIndex((message) => JSON.stringify(message).includes('and mind the tests'));
    const result = asked.findIndex(
      (message) => JSON.stringify(message).includes('tool_result') || message.role === 'tool',
    );
    expect(result).toBeGreaterThan(0);
    expect(words).toBeGreaterThanOrEqual(result);
    expect(session.transcript.turns).toHaveLength(1);
    await session.prompt('and now?').result;
    const living = messagesIn(server, 2);
    await (await scene.reload()).prompt('and later?').result;
    expect(messagesIn(server, 3).slice(0, living.length)).toEqual(living);
  });

  it('is answered in the same turn when the model was about to end it', async () => {
    const { path } = await makeProject();
    const { env, server } = await startModel({ script: ['First.', 'Second.', 'Third.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: path });
    const turn = session.prompt('one');
    const more = session.prompt('two', { whenBusy: 'steer' });
    await turn.result;
    expect((await more.result).stopReason).toBe('end_turn');
    expect(JSON.stringify(messagesIn(server, 1))).toContain('two');
    expect(server.requests).toHaveLength(2);
  });

  it('waits for a turn of its own when it is a command', async () => {
    const { path } = await makeProject();
    const { env, server } = await startModel({ script: ['First.', 'Second.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: path });
    const turn = session.prompt('one');
    const help = session.prompt('/help', { whenBusy: 'steer' });
    expect((await turn.result).text).toBe('First.');
    await help.result;
    expect(session.transcript.turns).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });
});
