import { type AgentScript, MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { AgentConnection, ConnectionState } from '../../src/connect/agent-connection.ts';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { ClientSession } from '../../src/session/session.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

/** An agent that follows another script each time it is started; the last one stays. */
function lives(...scripts: AgentScript[]): AgentSource & { starts: number; methods: string[] } {
  const source = { ...agents.source({}), starts: 0, methods: [] as string[] };
  return Object.assign(source, {
    open(signal: AbortSignal) {
      const script = scripts[Math.min(source.starts, scripts.length - 1)] ?? {};
      source.starts += 1;
      return agents.source(script).open(signal);
    },
  });
}

async function open(
  source: ReturnType<typeof lives>,
  options: ConnectOptions = {},
): Promise<{ connection: AgentConnection; session: ClientSession }> {
  const connection = await connect(source, {
    reconnect: true,
    trace: {
      write: ({ direction, message }) =>
        direction === 'out' &&
        'method' in (message as object) &&
        source.methods.push((message as { method: string }).method),
    },
    ...options,
  });
  return { connection, session: await connection.newSession({ cwd: CWD }) };
}

const reached = (connection: AgentConnection, wanted: ConnectionState): Promise<void> =>
  new Promise((resolve) => {
    if (connection.state === wanted) return resolve();
    connection.on('state', (state) => state === wanted && resolve());
  });
const texts = (session: ClientSession): unknown[] =>
  session.transcript.entries.toArray().map((entry) => ('text' in entry ? entry.text : entry.type));

const capabilities = { loadSession: true, sessionCapabilities: { resume: {} } };
const dies: AgentScript = { ...MISBEHAVIOURS.diesMidTurn, capabilities };

describe('a lost connection', () => {
  it('is opened again, and the session loaded; the prompt is not sent a second time', async () => {
    const source = lives(dies, { capabilities });
    const { connection, session } = await open(source);
    await using _ = connection;
    const states: string[] = [];
    session.on('change', ({ state }) => states.at(-1) !== state && states.push(state));
    const turn = session.prompt('once');
    expect(await failureOf(turn.result)).toMatchObject({ code: 'agent_exited' });
    await reached(connection, 'reconnecting');
    await reached(connection, 'connected');
    expect(session.state).toBe('idle');
    expect(states).toEqual(['running', 'lost', 'idle']);
    expect((await session.prompt('next').result).text).toBe('You said: next');
    expect(texts(session)).toEqual(['once', 'half a sen', 'next', 'You said: next']);
    expect(source.starts).toBe(2);
    expect(source.methods).toEqual([
      'initialize',
      'session/new',
      'session/prompt',
      'initialize',
      'session/load',
      'session/prompt',
    ]);
  });

  it('is resumed where the agent cannot load, or the transcript was cleared', async () => {
    const resumes = { sessionCapabilities: { resume: {} } };
    const source = lives(dies, { ...dies, capabilities: resumes }, { capabilities });
    const { connection, session } = await open(source);
    await using _ = connection;
    for (const text of ['once', 'twice']) {
      await failureOf(session.prompt(text).result);
      await reached(connection, 'reconnecting');
      await reached(connection, 'connected');
      session.clearTranscript();
    }
    expect(source.methods.filter((method) => method.startsWith('session/re') || method === 'session/load')).toEqual([
      'session/resume',
      'session/resume',
    ]);
  });

  it('is loaded without doubling the conversation', async () => {
    const replay = (text: string, sessionUpdate: string): object => ({
      do: 'update',
      update: { sessionUpdate, content: { type: 'text', text } },
    });
    const loads: AgentScript = {
      capabilities: { loadSession: true },
      on: {
        'session/load': [
          replay('once', 'user_message_chunk'),
          replay('half a sentence', 'agent_message_chunk'),
          { do: 'respond', result: {} },
        ] as never,
      },
    };
    const { connection, session } = await open(lives({ ...dies, capabilities: { loadSession: true } }, loads));
    await using _ = connection;
    await failureOf(session.prompt('once').result);
    await reached(connection, 'connected');
    await reached(connection, 'connected');
    while (session.state !== 'idle') await new Promise((resolve) => session.on('change', resolve));
    expect(texts(session)).toEqual(['once', 'half a sentence']);
    await session.prompt('next').result;
    expect(texts(session)).toEqual(['once', 'half a sentence', 'next', 'You said: next']);
  });

  it('leaves a session lost that the agent cannot open again, and says so', async () => {
    const told: string[] = [];
    const { connection, session } = await open(lives(MISBEHAVIOURS.diesMidTurn, {}), {
      onDiagnostic: ({ message }) => told.push(message),
    });
    await using _ = connection;
    await failureOf(session.prompt('once').result);
    await reached(connection, 'reconnecting');
    await reached(connection, 'connected');
    expect(session.state).toBe('lost');
    expect(told.some((message) => message.includes('could not be opened again'))).toBe(true);
    const fresh = await connection.newSession({ cwd: CWD });
    expect((await fresh.prompt('hello').result).text).toBe('You said: hello');
  });

  it('is given up when the agent keeps dying', async () => {
    const { connection, session } = await open(lives(dies, MISBEHAVIOURS.diesAtStart), {
      clock: fastClock(),
    });
    await using _ = connection;
    await failureOf(session.prompt('once').result);
    expect(await connection.closed).toMatchObject({ code: 'agent_exited', exitCode: 3 });
    expect(connection.state).toBe('closed');
    expect(await failureOf(connection.newSession({ cwd: CWD }))).toMatchObject({ exitCode: 3 });
  });

  it('ends the connection where nobody asked for more', async () => {
    const { connection, session } = await open(lives(dies, {}), { reconnect: false });
    await failureOf(session.prompt('once').result);
    expect(await connection.closed).toMatchObject({ code: 'agent_exited' });
    expect(connection.state).toBe('closed');
    await connection.close();
  });
});

/** A clock on which a second takes a millisecond. */
function fastClock(): NonNullable<ConnectOptions['clock']> {
  return {
    now: () => Date.now(),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds > 20_000 ? milliseconds : milliseconds / 1000);
      return () => clearTimeout(timer);
    },
  };
}
