import { agent } from '@parley/agent';
import { isRunning } from '@parley/testing/processes';
import { END_TURN } from '@parley/testing/scripted-agent';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { host, inProcess, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

const TELL_PID = { 'session/prompt': [{ do: 'tell', what: 'pid' }, END_TURN] } as const;
const pidIn = (said: string): number => Number(/pid (\d+)/.exec(said)?.[1]);

describe('the process of a hosted agent', () => {
  it('that is killed in the middle of a turn fails the turn with a clear error, and is started again for the next', async () => {
    const script = {
      capabilities: { loadSession: true },
      on: {
        'session/prompt': [
          { do: 'tell', what: 'pid' },
          {
            do: 'update',
            update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Work', status: 'in_progress' },
          },
          { do: 'waitFor', method: '_go' },
          END_TURN,
        ],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    const sessionId = await client.open();
    const prompting = client.prompt(sessionId, 'go').catch((error: unknown) => error);
    await until(() => client.updates.length === 2);
    const first = pidIn(client.said());
    process.kill(first, 'SIGKILL');
    expect(await prompting).toMatchObject({
      code: -32603,
      message: expect.stringContaining('was killed by SIGKILL'),
      data: { reason: 'agent_exited', signal: 'SIGKILL' },
    });
    expect(client.updates.at(-1)).toEqual({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' });
    client.updates.length = 0;
    const again = client.prompt(sessionId, 'again');
    await until(() => client.updates.length === 2);
    void client.connection.notify('_go', { sessionId });
    expect(await again).toEqual({ stopReason: 'end_turn' });
    expect(pidIn(client.said())).not.toBe(first);
  });

  it('is one for everybody, one for each principal, or one for each session', async () => {
    for (const [processes, owners] of [
      ['shared', [undefined]],
      [undefined, ['ada', 'bob']],
      ['perPrincipal', ['ada', 'bob']],
      ['perSession', ['ada', 'ada', 'bob', 'bob']],
    ] as const) {
      const hosted = host(scripted({ on: TELL_PID }), processes && { processes });
      const pids = new Set<number>();
      for (const principal of ['ada', 'bob']) {
        const client = await rawClient(hosted, undefined, undefined, { principal });
        for (let each = 0; each < 2; each += 1) {
          client.updates.length = 0;
          await client.prompt(await client.open(), 'go');
          pids.add(pidIn(client.said()));
        }
      }
      expect(pids.size).toBe(owners.length);
      expect(hosted.processes.map(({ principal }) => principal).sort()).toEqual(owners);
    }
  }, 60_000);

  it('is logged in for its principal alone, and what it tells of no session is told to clients of that one', async () => {
    const source = inProcess(() => {
      let isLoggedIn = false;
      return agent({ name: 'locked', version: '1' })
        .requireAuth(() => isLoggedIn)
        .auth({ id: 'key', name: 'Key' }, ({ client }) => {
          isLoggedIn = true;
          void client.notify('_logged_in', {});
        })
        .onPrompt(async () => {});
    });
    const hosted = host(source);
    const [ada, bob] = [
      await rawClient(hosted, undefined, undefined, { principal: 'ada' }),
      await rawClient(hosted, undefined, undefined, { principal: 'bob' }),
    ];
    const heard: string[] = [];
    ada.connection.onNotification('_logged_in', () => heard.push('ada'));
    bob.connection.onNotification('_logged_in', () => heard.push('bob'));
    await ada.request('authenticate', { methodId: 'key' });
    await ada.open();
    await expect(bob.open()).rejects.toMatchObject({ code: -32000 });
    await bob.request('authenticate', { methodId: 'key' });
    await bob.open();
    await until(() => heard.length === 2);
    expect(heard).toEqual(['ada', 'bob']);
  });

  it('is stopped when it has nothing to do, with everything it has started, and comes back when it is needed', async () => {
    const script = {
      capabilities: { sessionCapabilities: { resume: {} } },
      on: { 'session/prompt': [{ do: 'tell', what: 'pid' }, { do: 'spawnChild' }, END_TURN] },
    } as const;
    const client = await rawClient(host(scripted(script), { idleMs: 50 }));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    const [pid, child] = [pidIn(client.said()), Number(/child (\d+)/.exec(client.said())?.[1])];
    await until(() => !isRunning(pid) && !isRunning(child));
    client.updates.length = 0;
    await client.prompt(sessionId, 'go');
    expect(pidIn(client.said())).not.toBe(pid);
  }, 30_000);

  it('stays while somebody has a session open that it could not open again', async () => {
    const client = await rawClient(host(scripted({ on: TELL_PID }), { idleMs: 20 }));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'one');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await client.prompt(sessionId, 'two');
    const pids = client.said().match(/pid \d+/g) ?? [];
    expect(new Set(pids).size).toBe(1);
  });

  it('that cannot be started is told to the client, and tried again for the next', async () => {
    let isThere = false;
    const source = scripted({});
    const hosted = host({
      ...source,
      open: (signal) => (isThere ? source.open(signal) : Promise.reject(new Error('not there yet'))),
    });
    await expect(rawClient(hosted)).rejects.toMatchObject({ message: expect.stringContaining('not there yet') });
    isThere = true;
    const client = await rawClient(hosted);
    expect(await client.prompt(await client.open(), 'hi')).toEqual({ stopReason: 'end_turn' });
  });

  it('is not started for a client that leaves before it has said anything', async () => {
    let starts = 0;
    const source = scripted({});
    const hosted = host({
      ...source,
      open: (signal) => {
        starts += 1;
        return source.open(signal);
      },
    });
    const [near, far] = createMemoryPair();
    const served = hosted.serve(far);
    await near.close();
    expect(await served).toMatchObject({ kind: 'ended' });
    expect(starts).toBe(0);
  });

  it('that keeps crashing is started with growing pauses', async () => {
    const starts: number[] = [];
    const source = scripted({ on: { 'session/prompt': [{ do: 'exit', code: 3 }] } });
    const hosted = host(
      {
        ...source,
        open: (signal) => {
          starts.push(Date.now());
          return source.open(signal);
        },
      },
      { firstPauseMs: 200 },
    );
    const client = await rawClient(hosted);
    const sessionId = await client.open();
    for (let each = 0; each < 4; each += 1) await client.prompt(sessionId, 'go').catch(() => {});
    expect(starts.length).toBe(4);
    // The second start comes at once; the third and the fourth wait, at least half of 200 and of 400 ms.
    const pauses = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(pauses[1]).toBeGreaterThanOrEqual(100);
    expect(pauses[2]).toBeGreaterThanOrEqual(200);
  }, 30_000);

  it('is asked to cancel, close and delete as the client asks', async () => {
    const script = {
      capabilities: { sessionCapabilities: { close: {}, delete: {} } },
      on: {
        'session/prompt': [
          { do: 'say', text: 'on it' },
          { do: 'waitFor', method: 'session/cancel' },
          { do: 'respond', result: { stopReason: 'cancelled', _meta: { spent: 1 } } },
        ],
        'session/close': [
          { do: 'notify', method: '_seen', params: { close: '$sessionId' } },
          { do: 'respond', result: {} },
        ],
        'session/delete': [
          { do: 'notify', method: '_seen', params: { delete: '$sessionId' } },
          { do: 'respond', result: {} },
        ],
      },
    } as const;
    const hosted = host(scripted(script));
    const client = await rawClient(hosted);
    const seen: unknown[] = [];
    client.connection.onNotification('_seen', (params) => seen.push(params));
    const [one, two] = [await client.open(), await client.open()];
    const prompting = client.prompt(one, 'go');
    await until(() => client.said() === 'on it');
    void client.connection.notify('session/cancel', { sessionId: one });
    expect(await prompting).toEqual({ stopReason: 'cancelled', _meta: { spent: 1 } });
    await client.request('session/close', { sessionId: one });
    await client.request('session/delete', { sessionId: two });
    await until(() => seen.length === 3);
    expect(seen).toEqual([{ close: 's1' }, { close: 's2' }, { delete: 's2' }]);
  });
});
