import { type Connection, createConnection } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import { LiveConnection } from '../../src/connect/live-connection.ts';
import type { ClientSession } from '../../src/session/session.ts';
import { sourceOf } from '../../src/source/agent-source.ts';
import { STATE_VERSION, type StateUpdate } from '../support/state-version.ts';
import { createTestClock } from '../support/test-clock.ts';

interface Opened {
  readonly session: ClientSession;
  readonly agent: Connection;
  /** The agent tells text of the session, or that a turn in it has ended. */
  readonly tell: (what: string | Omit<StateUpdate, 'sessionId'>) => void;
  /** Resolves when the agent has answered so many prompts. */
  readonly accepted: (count: number) => Promise<void>;
}

async function open(options: ConnectOptions = {}): Promise<Opened> {
  const [near, far] = createMemoryPair();
  const agent = createConnection(far);
  let prompts = 0;
  agent.onRequest('initialize', () => ({ protocolVersion: 99 }));
  agent.onRequest('session/new', () => 's');
  agent.onRequest('session/prompt', () => {
    prompts += 1;
    return `message-${prompts}`;
  });
  agent.onNotification('session/cancel', () => {});
  const connection = new LiveConnection(sourceOf(near), options, [STATE_VERSION]);
  await connection.open();
  onTestFinished(() => connection.close());
  return {
    session: await connection.newSession({ cwd: '/' }),
    agent,
    tell(what) {
      const [method, params] = typeof what === 'string' ? ['session/text', { text: what }] : ['session/state', what];
      void agent.notify(method, { sessionId: 's', ...params });
    },
    async accepted(count) {
      while (prompts < count) await new Promise((resolve) => setTimeout(resolve, 1));
    },
  };
}

describe('a turn', () => {
  it('ends when the agent tells its end, not when its prompt is answered', async () => {
    const { session, tell, accepted } = await open();
    const turn = session.prompt('go');
    await accepted(1);
    tell('all ');
    tell('of it');
    tell({ messageId: 'message-1', stopReason: 'end_turn' });
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'all of it' });
    expect(session.state).toBe('idle');
  });

  it('is not ended by the end of one that somebody else asked for', async () => {
    const { session, tell, accepted } = await open();
    tell({ stopReason: 'cancelled' });
    const first = session.prompt('first');
    const second = session.prompt('second', { whenBusy: 'queue' });
    await accepted(1);
    tell({ stopReason: 'cancelled' });
    tell({ messageId: 'of-another-client' });
    tell('mine');
    tell({ messageId: 'message-1' });
    expect(await first.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
    await accepted(2);
    tell({ messageId: 'message-1', stopReason: 'cancelled' });
    tell('next');
    tell({ messageId: 'message-2' });
    expect(await second.result).toMatchObject({ stopReason: 'end_turn', text: 'next' });
  });

  it('fails with the error that the agent ends it with', async () => {
    const { session, tell, accepted } = await open();
    const turn = session.prompt('go');
    await accepted(1);
    tell({ messageId: 'message-1', error: 'no model answers' });
    await expect(turn.result).rejects.toThrow('no model answers');
    expect(session.transcript.turns.at(-1)).toMatchObject({ error: 'no model answers' });
    expect(session.turn).toBeUndefined();
  });

  it('is given up after the grace time when an accepted prompt is cancelled and no end comes', async () => {
    const clock = createTestClock();
    const { session, tell, accepted } = await open({ clock });
    const turn = session.prompt('go');
    await accepted(1);
    tell('working');
    const cancelled = session.cancel();
    await clock.runAll();
    await cancelled;
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: true });
    // Its end, should it come after all, is nobody's.
    tell({ messageId: 'message-1' });
    const next = session.prompt('again');
    await accepted(2);
    tell({ messageId: 'message-2' });
    expect(await next.result).toMatchObject({ stopReason: 'end_turn', isForced: false });
  });

  it('of an accepted prompt fails when the agent is lost', async () => {
    const { session, agent, accepted } = await open();
    const turn = session.prompt('go');
    await accepted(1);
    await agent.close();
    await expect(turn.result).rejects.toMatchObject({ code: 'connection_lost' });
    expect(session.state).toBe('lost');
  });
});
