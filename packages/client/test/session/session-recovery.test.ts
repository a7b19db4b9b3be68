import { type Connection, createConnection, RpcError } from '@parley/jsonrpc';
import { errorOfKind } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { ClientDiagnostic } from '../../src/diagnostics.ts';
import type { ClientSession } from '../../src/session/session.ts';
import { CWD, failureOf } from '../support/scripted.ts';

interface ForgetfulAgent {
  readonly connection: Connection;
  readonly calls: string[];
  readonly open: Set<string>;
  readonly saved: Set<string>;
}

/** An agent that can lose its sessions: from memory, and from its disk too. */
function startAgent(transport: Parameters<typeof createConnection>[0], agentCapabilities: object): ForgetfulAgent {
  const connection = createConnection(transport);
  const calls: string[] = [];
  const [open, saved] = [new Set<string>(), new Set<string>()];
  const say = (sessionId: string, sessionUpdate: string, text: string): void =>
    void connection.notify('session/update', { sessionId, update: { sessionUpdate, content: { type: 'text', text } } });
  const answer = (method: string, handler: (params: { sessionId: string }) => unknown): void =>
    connection.onRequest(method, ({ params }) => {
      calls.push(method);
      return handler(params as { sessionId: string });
    });
  const requireOpen = (sessionId: string): void => {
    if (!open.has(sessionId)) throw errorOfKind('session_expired', { data: { sessionId } });
  };
  answer('initialize', () => ({ protocolVersion: 1, agentCapabilities }));
  answer('session/new', () => {
    const sessionId = `s${saved.size + 1}`;
    open.add(sessionId);
    saved.add(sessionId);
    return { sessionId, modes: MODES };
  });
  answer('session/load', ({ sessionId }) => {
    if (!saved.has(sessionId)) throw errorOfKind('session_not_found', { data: { sessionId } });
    open.add(sessionId);
    say(sessionId, 'user_message_chunk', 'one');
    say(sessionId, 'agent_message_chunk', 'said');
    return { modes: MODES };
  });
  answer('session/prompt', ({ sessionId }) => {
    requireOpen(sessionId);
    say(sessionId, 'agent_message_chunk', 'said');
    return { stopReason: 'end_turn' };
  });
  answer('session/set_mode', ({ sessionId }) => {
    requireOpen(sessionId);
    return {};
  });
  return { connection, calls, open, saved };
}

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

async function open(options: ConnectOptions = {}, capabilities: object = { loadSession: true }) {
  const [near, far] = createMemoryPair();
  const agent = startAgent(far, capabilities);
  const told: ClientDiagnostic[] = [];
  const connection = await connect(near, { ...options, onDiagnostic: (diagnostic) => told.push(diagnostic) });
  const session = await connection.newSession({ cwd: CWD });
  await session.prompt('one').result;
  agent.calls.length = 0;
  return { agent, connection, session, told };
}

const texts = (session: ClientSession): unknown[] =>
  session.transcript.entries.toArray().map((entry) => ('text' in entry ? entry.text : entry.type));

describe('a session that the agent no longer has', () => {
  it('is loaded again, and the prompt that met it is answered in it', async () => {
    const { agent, connection, session, told } = await open();
    await using _ = connection;
    agent.open.clear();
    const result = await session.prompt('two').result;
    expect(result.text).toBe('said');
    expect(agent.calls).toEqual(['session/prompt', 'session/load', 'session/prompt']);
    expect(texts(session)).toEqual(['one', 'said', 'two', 'said']);
    expect(session.transcript.turns.at(-1)).toMatchObject({ status: 'ended', stopReason: 'end_turn' });
    expect(session.state).toBe('idle');
    expect(told).toMatchObject([{ kind: 'session_lost', sessionId: 's1', message: expect.stringContaining('again') }]);
  });

  it('is loaded again when the agent says so in words alone, and not when it misses a file', async () => {
    const { agent, connection, session } = await open();
    await using _ = connection;
    const answers = [
      new RpcError(-32002, 'Session not found'),
      new RpcError(-32002, 'Resource not found: session.txt'),
    ];
    agent.connection.onRequest('session/prompt', () => {
      const error = answers.shift();
      if (error) throw error;
      return { stopReason: 'end_turn' };
    });
    expect(await failureOf(session.prompt('two').result)).toMatchObject({
      message: expect.stringContaining('session.txt'),
    });
    expect(agent.calls).toEqual(['session/load']);
  });

  it('is opened once for calls that find it lost at the same time', async () => {
    const { agent, connection, session } = await open();
    await using _ = connection;
    agent.open.clear();
    await Promise.all([session.setMode('code'), session.setMode('ask'), session.prompt('two').result]);
    expect(agent.calls.filter((method) => method === 'session/load')).toHaveLength(1);
  });

  it('fails the call when the agent cannot open it; it is asked once, not five times', async () => {
    const { agent, connection, session, told } = await open();
    await using _ = connection;
    agent.open.clear();
    agent.saved.clear();
    expect(await failureOf(session.prompt('two').result)).toMatchObject({ data: { kind: 'session_expired' } });
    expect(agent.calls).toEqual(['session/prompt', 'session/load']);
    expect(told).toMatchObject([{ kind: 'session_lost', message: expect.stringContaining('could not') }]);
    expect(texts(session)).toEqual(['one', 'said', 'two']);
  });

  it('goes on as a new session where that is wanted, and followers are told its id', async () => {
    const { agent, connection, session, told } = await open({ onSessionLost: 'new' }, {});
    await using _ = connection;
    agent.open.clear();
    const events: unknown[] = [];
    session.on('event', (event) => event.type === 'session_replaced' && events.push(event));
    expect((await session.prompt('two').result).text).toBe('said');
    expect(session.id).toBe('s2');
    expect([...connection.sessions.keys()]).toEqual(['s2']);
    expect(events).toEqual([{ type: 'session_replaced', from: 's1', to: 's2' }]);
    expect(told).toMatchObject([{ kind: 'session_lost', sessionId: 's2', message: expect.stringContaining('s1') }]);
    await session.prompt('three').result;
    expect(texts(session)).toEqual(['one', 'said', 'two', 'said', 'three', 'said']);
  });

  it('fails the call at once where nothing else is wanted', async () => {
    const { agent, connection, session } = await open({ onSessionLost: 'fail' });
    await using _ = connection;
    agent.open.clear();
    expect(await failureOf(session.setMode('code'))).toBeInstanceOf(RpcError);
    expect(agent.calls).toEqual(['session/set_mode']);
  });
});
