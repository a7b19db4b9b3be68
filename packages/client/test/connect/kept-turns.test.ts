import { type Agent, agent } from '@parley/agent';
import type { Message, Transport } from '@parley/jsonrpc';
import { memoryStore } from '@parley/store/memory';
import { createMemoryPair } from '@parley/transports/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clock, SYSTEM_CLOCK } from '../../src/clock.ts';
import type { AgentConnection } from '../../src/connect/agent-connection.ts';
import { connect } from '../../src/connect/connect.ts';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { ClientSession } from '../../src/session/session.ts';
import type { AgentSource } from '../../src/source/agent-source.ts';
import { CWD, failureOf } from '../support/scripted.ts';

/** An agent that does what a prompt lists, with a pause wherever it says so. */
function scriptedAgent(options: Partial<Parameters<typeof agent>[0]> = {}): Agent {
  return agent({ name: 'test', version: '1', onDiagnostic: () => {}, ...options }).onPrompt(async (turn) => {
    for (const step of turn.text.split(' ')) {
      if (step === 'pause') await new Promise((resolve) => setTimeout(resolve, 0));
      else if (step === 'wait') await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      else if (step === 'fail') throw new Error('a bug');
      else if (step === 'plan') await turn.plan([{ content: 'a step', priority: 'low', status: 'completed' }]);
      else if (step === 'call' || step === 'ask') {
        const call = turn.toolCall({ title: step });
        const isAllowed = step === 'call' || (await turn.askPermission(call, { options: YES_OR_NO })).allowed;
        if (isAllowed) call.complete({ text: 'done' });
        else call.fail();
      } else await turn.say(`${step} `);
    }
  });
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** An agent whose turns end when the gate opens. */
function waitingAgent({ opened }: Gate): Agent {
  return agent({ name: 'test', version: '1', onDiagnostic: () => {} }).onPrompt(async (turn) => {
    await turn.say('one ');
    await opened;
  });
}

const YES_OR_NO = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no', name: 'No', kind: 'reject_once' as const },
];

interface CutSource extends AgentSource {
  /** What our side has sent, over all connections. */
  readonly sent: Message[];
  /** Cuts the connection that is open now. */
  cut(): void;
  /** Cuts it when so many messages have come from now on. */
  cutAfter(messages: number): void;
}

/**
 * Dials an agent in this process, which does not notice that its connections are cut but for the silence. `alter` may change what
 * comes from the agent, or drop it.
 */
function dial(
  served: Agent,
  whenClientLeaves: 'cancel' | 'keep' = 'keep',
  alter: (message: unknown) => unknown = (message) => message,
  carriesUpdates: () => boolean = () => true,
): CutSource {
  const sent: Message[] = [];
  let left = Number.POSITIVE_INFINITY;
  let cut = (): void => {};
  return {
    name: 'the agent',
    sent,
    cut: () => cut(),
    cutAfter(messages) {
      left = messages;
      if (left === 0) cut();
    },
    async open() {
      const [near, far] = createMemoryPair();
      let isCut = false;
      void served.serve(far, { whenClientLeaves });
      left = Number.POSITIVE_INFINITY;
      cut = () => {
        isCut = true;
        void far.close();
      };
      const transport: Transport = Object.create(near, {
        send: {
          value: (message: Message) => {
            sent.push(message);
            return near.send(message);
          },
        },
        onMessage: {
          value: (listener: (message: unknown) => void) =>
            near.onMessage((message) => {
              const altered = isCut ? undefined : alter(message);
              if (altered === undefined) return;
              listener(altered);
              left -= 1;
              if (left === 0) cut();
            }),
        },
        whenSent: { value: () => near.whenSent?.() },
        onFault: { value: (listener: never) => near.onFault(listener) },
        onClose: { value: (listener: never) => near.onClose(listener) },
        pause: { value: () => near.pause() },
        resume: { value: () => near.resume() },
        close: { value: () => near.close() },
      });
      return { transport, carriesUpdates };
    },
  };
}

/** Every connection counts as one that has lasted, so that none waits before it is dialled again. */
const HEALTHY: Clock = { ...SYSTEM_CLOCK, now: () => performance.now() * 1e6 };

type Open = (
  source: AgentSource,
  options?: ConnectOptions,
) => Promise<{ connection: AgentConnection; session: ClientSession }>;

function opening(protocol: 1 | 2): Open {
  return async (source, options) => {
    const connection = await connect(source, { reconnect: true, clock: HEALTHY, protocol, ...options });
    expect(connection.protocolVersion).toBe(protocol);
    return { connection, session: await connection.newSession({ cwd: CWD }) };
  };
}

/** Where a session stands, without what is another one in each run: times, and names that the agent makes up. */
function standing({ transcript }: ClientSession): unknown {
  const { entries, turns, plan, state, questions, commands } = transcript;
  const facts = JSON.stringify({ entries, turns, plan, state, questions, commands }, (key, value) =>
    ['at', 'startedAt', 'endedAt'].includes(key) || String(value).startsWith('prompt-') ? undefined : value,
  );
  return JSON.parse(facts.replaceAll(/(call|message)-[0-9a-f-]{13}-/g, '$1-'));
}

const reached = (connection: AgentConnection, wanted: string): Promise<void> =>
  new Promise((resolve) => {
    if (connection.state === wanted) return resolve();
    connection.on('state', (state) => state === wanted && resolve());
  });

const methods = ({ sent }: CutSource): unknown[] => sent.flatMap((each) => ('method' in each ? [each.method] : []));

const scripts = fc
  .array(fc.constantFrom('one', 'two', 'call', 'plan', 'pause'), { minLength: 1, maxLength: 20 })
  .map((steps) => steps.join(' '));
/** After how many messages each connection is cut; the first tells that the turn has begun. */
const cuts = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 });

describe.each([
  ['in memory', 1, () => ({})],
  ['in memory', 2, () => ({})],
  ['in a store that is shared', 1, () => ({ store: memoryStore({ isShared: true }) })],
  ['in a store that is shared', 2, () => ({ store: memoryStore({ isShared: true }) })],
] as const)('a turn of an agent that keeps it, %s, in version %i', (_name, protocol, options) => {
  const open = opening(protocol);

  it('ends as if the connection had never been cut', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, cuts, async (script, lengths) => {
        const whole = await open(dial(scriptedAgent(options())));
        const expected = await whole.session.prompt(script).result;
        const source = dial(scriptedAgent(options()));
        const { connection, session } = await open(source);
        const turn = session.prompt(script);
        const said: string[] = [];
        const reading = (async () => {
          for await (const event of turn) if (event.type === 'text') said.push(event.text);
        })();
        const waiting = [...lengths];
        connection.on('state', (state) => {
          const next = state === 'connected' && waiting.shift();
          if (next) source.cutAfter(next);
        });
        source.cutAfter(waiting.shift() ?? 1);
        const { stopReason, text } = await turn.result;
        await reading;
        expect({ stopReason, text }).toEqual({ stopReason: expected.stopReason, text: expected.text });
        expect(said.join('')).toBe(expected.text.replaceAll('\n\n', ''));
        // It may have been cut once more right behind the end of the turn.
        waiting.length = 0;
        source.cutAfter(Number.POSITIVE_INFINITY);
        await idle(session);
        expect(standing(session)).toEqual(standing(whole.session));
        expect(methods(source).filter((method) => method === 'session/prompt')).toHaveLength(1);
        expect(methods(source)).not.toContain('session/load');
        // The session goes on as ever.
        expect((await session.prompt('again').result).text).toBe('again ');
        await connection.close();
        await whole.connection.close();
      }),
      { numRuns: 40 },
    );
  });

  it('asks again what it asked when the connection was cut, and takes one answer', async () => {
    const source = dial(scriptedAgent(options()));
    let asked = 0;
    const { connection, session } = await open(source, {
      permissions: {
        ask: () => {
          asked += 1;
          if (asked > 1) return { optionId: 'yes' };
          source.cut();
          return undefined;
        },
      },
    });
    await using _ = connection;
    const states: string[] = [];
    session.on('change', ({ state }) => states.at(-1) !== state && states.push(state));
    const result = await session.prompt('one ask two').result;
    expect(asked).toBe(2);
    expect(result).toMatchObject({ stopReason: 'end_turn', text: 'one \n\ntwo ' });
    expect(result.toolCalls).toMatchObject([{ title: 'ask', status: 'completed' }]);
    expect(states).toContain('lost');
    expect(session.state).toBe('idle');
    expect(session.transcript.questions).toEqual([]);
  });

  it('fails with the error of the agent, where it failed meanwhile', async () => {
    const source = dial(scriptedAgent(options()));
    const { connection, session } = await open(source);
    await using _ = connection;
    const turn = session.prompt('one pause fail');
    source.cutAfter(1);
    expect(await failureOf(turn.result)).toMatchObject({ code: -32603 });
    expect(session.transcript.turns.at(-1)).toMatchObject({ status: 'failed' });
  });

  it('is cancelled although that was asked for while nobody could hear it', async () => {
    const source = dial(scriptedAgent(options()));
    const { connection, session } = await open(source);
    await using _ = connection;
    const turn = session.prompt('one wait');
    await reachedText(session, 'one ');
    connection.on('state', (state) => state === 'reconnecting' && void session.cancel());
    source.cut();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(session.state).toBe('idle');
  });

  it('goes on with the prompts that waited behind it', async () => {
    const source = dial(scriptedAgent(options()));
    const { connection, session } = await open(source);
    await using _ = connection;
    const first = session.prompt('one pause pause two');
    const second = session.prompt('three', { whenBusy: 'queue' });
    source.cutAfter(2);
    expect((await first.result).text).toBe('one two ');
    expect((await second.result).text).toBe('three ');
  });
});

describe.each([1, 2] as const)('a turn whose connection is cut, in version %i', (protocol) => {
  const open = opening(protocol);

  it('fails where the agent cancels it then', async () => {
    const source = dial(scriptedAgent(), 'cancel');
    const { connection, session } = await open(source);
    await using _ = connection;
    const turn = session.prompt('one wait');
    const waiting = session.prompt('two', { whenBusy: 'queue' });
    await reachedText(session, 'one ');
    source.cut();
    expect(await failureOf(turn.result)).toMatchObject({ code: 'connection_lost' });
    expect(session.transcript.turns.at(0)).toMatchObject({ status: 'failed' });
    await waiting.result.catch(() => {});
    await reached(connection, 'connected');
    expect((await session.prompt('three').result).text).toBe('three ');
  });

  it('fails where the agent has never heard of it', async () => {
    const source = dial(scriptedAgent());
    const { connection, session } = await open(source);
    await using _ = connection;
    session.beforePrompt(() => source.cut());
    const turn = session.prompt('one');
    expect(await failureOf(turn.result)).toMatchObject({ code: 'connection_lost' });
    await reached(connection, 'connected');
    expect(session.state).toBe('idle');
  });

  it('fails at once where the agent knows nothing of cursors', async () => {
    const source = dial(scriptedAgent());
    const { connection, session } = await open(source, { meta: { 'parley/cursor': false } });
    await using _ = connection;
    const turn = session.prompt('one wait');
    await reachedText(session, 'one ');
    source.cut();
    expect(await failureOf(turn.result)).toMatchObject({ code: 'connection_lost' });
    await reached(connection, 'connected');
    expect(methods(source)).toContain(protocol === 1 ? 'session/load' : 'session/resume');
  });

  it('fails with what it was lost by when the agent is not reached again', async () => {
    const source = dial(scriptedAgent());
    const { connection, session } = await open(source);
    const turn = session.prompt('one wait');
    await reachedText(session, 'one ');
    source.open = async () => {
      throw new Error('nobody there');
    };
    const controller = new AbortController();
    connection.on(
      'state',
      (state) => state === 'reconnecting' && void connection.close().then(() => controller.abort()),
    );
    source.cut();
    expect(await failureOf(turn.result)).toMatchObject({ code: 'connection_lost' });
    await connection.closed;
  });
});

describe('a turn that the agent says is running when the session is opened again', () => {
  const open = opening(1);
  /** Changes the state in the answer that opens the session again. */
  const withState = (message: unknown, state: object): unknown => {
    const { result } = message as { result?: { _meta?: Record<string, unknown> } };
    if (!result?._meta?.['parley/state']) return message;
    return { ...(message as object), result: { ...result, _meta: { ...result._meta, 'parley/state': state } } };
  };
  const stateOf = (message: unknown): { state?: string; turnId?: string } | undefined => {
    const { params } = message as { params?: { update?: { _meta?: Record<string, object> } } };
    return params?.update?._meta?.['parley/state'];
  };

  it('has ended where its end came before that answer', async () => {
    let turnId: string | undefined;
    const ending = createGate();
    const served = waitingAgent(ending);
    const source = dial(served, 'keep', (message) => {
      turnId ??= stateOf(message)?.turnId;
      return withState(message, { state: 'running', turnId });
    });
    const { connection, session } = await open(source);
    await using _ = connection;
    await using other = await connect(dial(served));
    const theirs = await other.loadSession(session.id, { cwd: CWD });
    const turn = session.prompt('begin');
    await reachedText(session, 'one ');
    const { open: reopen } = source;
    source.open = async (signal) => {
      ending.open();
      await idle(theirs);
      return reopen(signal);
    };
    source.cut();
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'one ' });
    expect(turnId).toBeDefined();
    expect(session.state).toBe('idle');
  });

  it('gets its answer from a server that tells nothing but answers, where its prompt is known by name', async () => {
    let isCut = false;
    const ending = createGate();
    const source = dial(
      waitingAgent(ending),
      'keep',
      (message) => (isCut && 'method' in (message as object) ? undefined : message),
      () => !isCut,
    );
    const redial = { firstPauseMs: 1, maxPauseMs: 1, giveUpAfterMs: 60_000, isFinal: () => false };
    const { connection, session } = await open(Object.assign(source, { redial }));
    await using _ = connection;
    const turn = session.prompt('begin');
    await reachedText(session, 'one ');
    isCut = true;
    source.cut();
    await reached(connection, 'reconnecting');
    await reached(connection, 'connected');
    ending.open();
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'one ' });
    expect(session.state).toBe('idle');
  });
});

describe.each([1, 2] as const)('a session that others work in, in version %i', (protocol) => {
  const open = opening(protocol);

  it('is told what was missed, and shows that a turn of theirs runs', async () => {
    const served = scriptedAgent();
    const source = dial(served);
    const { connection, session } = await open(source);
    await using _ = connection;
    const other = await connect(dial(served), { protocol });
    await using _other = other;
    const theirs = await other.loadSession(session.id, { cwd: CWD });
    source.cut();
    const turn = theirs.prompt('one wait');
    await reachedText(session, 'one ');
    await reached(connection, 'connected');
    expect(session.state).toBe('running');
    expect(session.turn).toBeUndefined();
    await turn.cancel();
    await idle(session);
    expect(session.transcript.entries.toArray().map((entry) => ('text' in entry ? entry.text : entry.type))).toEqual([
      'one wait',
      'one ',
    ]);
  });
});

async function idle(session: ClientSession): Promise<void> {
  while (session.state !== 'idle') await new Promise((resolve) => session.on('change', resolve));
}

function reachedText(session: ClientSession, wanted: string): Promise<void> {
  const has = (): boolean =>
    session.transcript.entries.toArray().some((entry) => 'text' in entry && entry.text === wanted);
  return new Promise((resolve) => {
    if (has()) return resolve();
    session.on('change', () => has() && resolve());
  });
}
