import { MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { AgentConnection, ConnectionState } from '../../src/connect/agent-connection.ts';
import { connect } from '../../src/connect/connect.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();
const capabilities = { loadSession: true };

/** An agent that dies in its first turn, is away for so many dials, and then there again. */
function awayFor(dials: number, away: Error, giveUpAfterMs = 60_000): AgentSource & { dials: number } {
  const source = {
    ...agents.source({}),
    dials: 0,
    redial: {
      firstPauseMs: 1,
      maxPauseMs: 3,
      giveUpAfterMs,
      isFinal: (error: unknown) => (error as { cause?: Error }).cause?.message === 'never again',
    },
    open(signal: AbortSignal) {
      source.dials += 1;
      if (source.dials > 1 && source.dials <= dials + 1) throw away;
      const script = source.dials === 1 ? { ...MISBEHAVIOURS.diesMidTurn, capabilities } : { capabilities };
      return agents.source(script).open(signal);
    },
  };
  return source;
}

const reached = (connection: AgentConnection, wanted: ConnectionState): Promise<void> =>
  new Promise((resolve) => {
    if (connection.state === wanted) return resolve();
    connection.on('state', (state) => state === wanted && resolve());
  });

describe('an agent that says how it is dialled again', () => {
  it('is dialled for as long as it says, far more often than a program is started', async () => {
    const source = awayFor(20, new Error('not yet'));
    await using connection = await connect(source, { reconnect: true });
    const session = await connection.newSession({ cwd: CWD });
    await failureOf(session.prompt('once').result);
    await reached(connection, 'reconnecting');
    await reached(connection, 'connected');
    expect(source.dials).toBe(22);
    expect((await session.prompt('next').result).text).toBe('You said: next');
  });

  it('is not dialled again when that cannot help', async () => {
    const source = awayFor(20, new Error('never again'));
    await using connection = await connect(source, { reconnect: true });
    const session = await connection.newSession({ cwd: CWD });
    await failureOf(session.prompt('once').result);
    await reached(connection, 'closed');
    expect(source.dials).toBe(2);
  });

  it('is given up in the end', async () => {
    const source = awayFor(Number.POSITIVE_INFINITY, new Error('not yet'), 50);
    await using connection = await connect(source, { reconnect: true });
    const session = await connection.newSession({ cwd: CWD });
    await failureOf(session.prompt('once').result);
    await reached(connection, 'closed');
    expect(source.dials).toBeGreaterThan(2);
  });
});
