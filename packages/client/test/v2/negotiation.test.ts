import { type Connection, createConnection, RpcError, type Transport } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { ClientDiagnostic } from '../../src/diagnostics.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';
import { V2_ANSWER } from '../support/raw-v2.ts';
import { createTestClock } from '../support/test-clock.ts';

interface Offered {
  readonly protocolVersion: number;
  readonly [field: string]: unknown;
}

/** What an agent does when it is offered a version. `close` and `silence` are no answers. */
type Reaction = object | 'close' | 'silence';

interface TestSource extends AgentSource {
  /** Every `initialize`, with the number of the process that got it. */
  readonly offers: (Offered & { readonly process: number })[];
  react: (offered: Offered) => Reaction;
  /** The agent's side of the last connection. */
  readonly agent: Connection;
}

function source(react: TestSource['react']): TestSource {
  const offers: TestSource['offers'] = [];
  let processes = 0;
  let agent: Connection | undefined;
  return {
    name: 'the agent',
    offers,
    react,
    get agent() {
      if (!agent) throw new Error('Nobody has connected.');
      return agent;
    },
    async open() {
      const [near, far] = createMemoryPair();
      processes += 1;
      const process = processes;
      const connection = createConnection(far);
      agent = connection;
      connection.onRequest('initialize', ({ params }) => {
        offers.push({ ...(params as Offered), process });
        const reaction = this.react(params as Offered);
        if (reaction === 'close') void connection.close();
        if (typeof reaction === 'string') return new Promise(() => {});
        if (reaction instanceof Error) throw reaction;
        return reaction;
      });
      connection.onRequest('session/new', () => ({ sessionId: 's' }));
      connection.onRequest('session/resume', () => ({}));
      return { transport: near };
    },
  };
}

const V1_ANSWER = { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } };
const speaksBoth = ({ protocolVersion }: Offered): Reaction => (protocolVersion >= 2 ? V2_ANSWER : V1_ANSWER);
const refuses =
  (reaction: Reaction) =>
  ({ protocolVersion }: Offered): Reaction =>
    protocolVersion === 1 ? V1_ANSWER : reaction;

async function open(agent: AgentSource | Transport, options: ConnectOptions = {}) {
  const diagnostics: ClientDiagnostic[] = [];
  const onDiagnostic = (diagnostic: ClientDiagnostic): unknown => diagnostics.push(diagnostic);
  const connection = await connect(agent, { protocol: 'auto', onDiagnostic, ...options });
  onTestFinished(() => connection.close());
  return { connection, diagnostics };
}

const versions = ({ offers }: TestSource): number[] => offers.map(({ protocolVersion }) => protocolVersion);
const processes = ({ offers }: TestSource): number[] => offers.map(({ process }) => process);

describe('protocol 1', () => {
  it('is the default where files or terminals are served, and says what it always said', async () => {
    const agent = source(speaksBoth);
    const workspace = { readTextFile: async () => 'text' };
    await open(agent, { protocol: undefined as never, workspace });
    const { process: _, ...offered } = agent.offers[0] ?? { process: 0 };
    expect(Object.keys(offered)).toEqual(['protocolVersion', 'clientCapabilities', 'clientInfo']);
    expect(offered).toMatchObject({ protocolVersion: 1 });
  });

  it('is the only one that is offered to an agent that speaks a dialect', async () => {
    const agent = source(speaksBoth);
    const { connection } = await open(agent, { dialect: 'pharo' });
    expect(connection.protocolVersion).toBe(1);
    expect(versions(agent)).toEqual([1]);
    await expect(open(agent, { protocol: 2, dialect: 'pharo' })).rejects.toMatchObject({ code: 'invalid_settings' });
    // Who only listens for a dialect hears that there is none.
    expect((await open(agent, { dialect: 'auto' })).connection.protocolVersion).toBe(2);
  });
});

describe('a wire that brings back answers alone', () => {
  it('is offered 1 only, since the end of a turn in version 2 is no answer', async () => {
    const agent = Object.assign(source(speaksBoth), { carriesUpdates: false });
    expect((await open(agent)).connection.protocolVersion).toBe(1);
    await expect(open(agent, { protocol: 2 })).rejects.toMatchObject({ code: 'invalid_settings' });
  });
});

describe('protocol 2', () => {
  it('is offered with the words of its own, and taken', async () => {
    const agent = source(speaksBoth);
    const { connection } = await open(agent, { protocol: 2, elicitation: { form: () => ({ action: 'decline' }) } });
    expect(connection.protocolVersion).toBe(2);
    expect(connection.agentInfo).toMatchObject({ name: 'raw' });
    expect(connection.offers).toMatchObject({ loadSession: true, resumeSession: true, closeSession: true });
    expect(agent.offers[0]).toMatchObject({
      protocolVersion: 2,
      info: { name: 'parley' },
      capabilities: { elicitation: { form: {} } },
    });
  });

  it.each([
    ['answers with 1', V1_ANSWER],
    ['refuses with -32022', new RpcError(-32022, 'Unsupported', { requested: 2, supported: [1] })],
  ])('is an error where the agent %s', async (_how, reaction) => {
    const agent = source(refuses(reaction));
    await expect(open(agent, { protocol: 2 })).rejects.toMatchObject({
      code: 'unsupported_version',
      message: expect.stringContaining('Connect with protocol 1 or auto'),
    });
    expect(versions(agent)).toEqual([2]);
  });
});

describe('protocol auto', () => {
  it('is the default', async () => {
    const both = source(speaksBoth);
    expect((await open(both, { protocol: undefined as never })).connection.protocolVersion).toBe(2);
  });

  it('offers 2 in the words of both versions, and takes either', async () => {
    const both = source(speaksBoth);
    expect((await open(both)).connection.protocolVersion).toBe(2);
    expect(both.offers).toHaveLength(1);
    expect(both.offers[0]).toMatchObject({
      protocolVersion: 2,
      info: { name: 'parley' },
      capabilities: {},
      clientInfo: { name: 'parley' },
      clientCapabilities: { terminal: false },
    });
    const old = source(() => V1_ANSWER);
    const { connection, diagnostics } = await open(old);
    expect(connection.protocolVersion).toBe(1);
    expect(old.offers).toHaveLength(1);
    expect(diagnostics).toEqual([]);
  });

  it.each([-32602, -32603, -32022, -32000, 7])(
    'asks again on the same connection when the answer is error %i',
    async (code) => {
      const agent = source(refuses(new RpcError(code, 'no')));
      const { connection, diagnostics } = await open(agent);
      expect(connection.protocolVersion).toBe(1);
      expect(versions(agent)).toEqual([2, 1]);
      expect(processes(agent)).toEqual([1, 1]);
      expect(diagnostics).toMatchObject([{ kind: 'version_refused', message: expect.stringContaining('version 1') }]);
      const { process: _, ...offered } = agent.offers[1] ?? { process: 0 };
      expect(Object.keys(offered)).toEqual(['protocolVersion', 'clientCapabilities', 'clientInfo']);
      // An agent that is asked in this way costs one message, and is asked again each time.
      agent.react = speaksBoth;
      expect((await open(agent)).connection.protocolVersion).toBe(2);
    },
  );

  it('opens the agent anew when it refuses with an error, and takes no second initialize', async () => {
    const seen = new Set<number>();
    const agent = source(({ protocolVersion }) => {
      const process = agent.offers.at(-1)?.process ?? 0;
      const isSecond = seen.has(process);
      seen.add(process);
      return protocolVersion === 2 || isSecond ? new RpcError(-32600, 'no') : V1_ANSWER;
    });
    expect((await open(agent)).connection.protocolVersion).toBe(1);
    expect(versions(agent)).toEqual([2, 1, 1]);
    expect(processes(agent)).toEqual([1, 1, 2]);
  });

  it.each([
    ['ends', 'close'],
    ['gives an answer that is none', { protocolVersion: 2 }],
  ] as const)('opens the agent anew when it %s, and offers it 1 from then on, for a while', async (_how, reaction) => {
    const clock = createTestClock();
    const agent = source(refuses(reaction));
    const { connection, diagnostics } = await open(agent, { clock });
    expect(connection.protocolVersion).toBe(1);
    expect(versions(agent)).toEqual([2, 1]);
    expect(processes(agent)).toEqual([1, 2]);
    expect(diagnostics.map(({ kind }) => kind)).toContain('version_refused');
    await open(agent, { clock });
    expect(versions(agent)).toEqual([2, 1, 1]);
    // It may have been updated since.
    await clock.pass(11 * 60_000);
    agent.react = speaksBoth;
    expect((await open(agent, { clock })).connection.protocolVersion).toBe(2);
  });

  it('starts a program anew that exits when it is offered 2', async () => {
    const program = `
      process.stdin.on('data', (data) => {
        const { id, method, params } = JSON.parse(String(data).split('\\n')[0]);
        if (method === 'initialize' && params.protocolVersion !== 1) process.exit(3);
        const answer = { jsonrpc: '2.0', id, result: { protocolVersion: 1 } };
        process.stdout.write(JSON.stringify(answer) + '\\n');
      });`;
    const agent = spawnAgent(process.execPath, ['-e', program], { recordsDir: false });
    const { connection, diagnostics } = await open(agent);
    expect(connection.protocolVersion).toBe(1);
    expect(diagnostics).toMatchObject([{ kind: 'version_refused', error: { code: 'agent_exited', exitCode: 3 } }]);
    await expect(open(agent, { protocol: 2 })).rejects.toMatchObject({ code: 'agent_exited', phase: 'initialize' });
  });

  it('takes silence for a slow start, and not for a refusal', async () => {
    const clock = createTestClock();
    const agent = source(refuses('silence'));
    const opening = open(agent, { clock, deadlines: { initialize: 20_000 } });
    const failure = expect(opening).rejects.toMatchObject({ code: 'deadline_passed', phase: 'initialize' });
    await expect.poll(() => agent.offers.length).toBe(1);
    await clock.pass(20_001);
    await failure;
    expect(versions(agent)).toEqual([2]);
  });

  it('fails as the agent does where neither version helps, and remembers nothing of it', async () => {
    const agent = source(() => 'close');
    await expect(open(agent)).rejects.toMatchObject({ code: 'connection_lost', phase: 'initialize' });
    expect(versions(agent)).toEqual([2, 1]);
    agent.react = speaksBoth;
    expect((await open(agent)).connection.protocolVersion).toBe(2);
  });

  it('forgets that 2 was refused when the agent fails with 1 as well', async () => {
    const agent = source(refuses('close'));
    await open(agent);
    agent.react = () => 'close';
    await expect(open(agent)).rejects.toMatchObject({ code: 'connection_lost' });
    agent.react = speaksBoth;
    expect((await open(agent)).connection.protocolVersion).toBe(2);
  });

  it('takes the end of an agent that has spoken 2 for a crash, and not for a refusal', async () => {
    const agent = source(speaksBoth);
    const { connection } = await open(agent, { reconnect: true });
    let crashes = 1;
    agent.react = (offered) => {
      crashes -= 1;
      return crashes >= 0 ? 'close' : speaksBoth(offered);
    };
    const back = new Promise<void>((resolve) => connection.on('state', (state) => state === 'connected' && resolve()));
    await agent.agent.close();
    await back;
    expect(connection.protocolVersion).toBe(2);
    expect(versions(agent)).toEqual([2, 2, 2]);
  });

  it('goes on with another version when the agent is another one after a reconnect', async () => {
    const agent = source(speaksBoth);
    const { connection } = await open(agent, { reconnect: true });
    const session = await connection.newSession({ cwd: '/' });
    agent.react = () => V1_ANSWER;
    const back = new Promise<void>((resolve) => connection.on('state', (state) => state === 'connected' && resolve()));
    await agent.agent.close();
    await back;
    expect(connection.protocolVersion).toBe(1);
    agent.agent.onRequest('session/prompt', () => ({ stopReason: 'end_turn' }));
    expect(await session.prompt('go').result).toMatchObject({ stopReason: 'end_turn' });
  });
});
