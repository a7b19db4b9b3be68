import { type Appended, type NewEvent, type SessionLog, type SessionStore, StoreError } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { sqliteStore } from '@parley/store/sqlite';
import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, settle, testAgent, until } from './raw-client.ts';

/** A store whose appends a test can hold back, or let fail. */
function controlledStore() {
  const inner = memoryStore({ isShared: true });
  const control = {
    failWith: undefined as Error | undefined,
    appended: [] as NewEvent[],
    /** How many events each append had. */
    batches: [] as number[],
    held: undefined as (() => void)[] | undefined,
    isSlow: false,
  };
  const wrap = (log: SessionLog): SessionLog => ({
    ...log,
    async append(sessionId, events, options): Promise<Appended> {
      if (control.isSlow) await new Promise((resolve) => setTimeout(resolve, 30));
      if (control.held) await new Promise<void>((resolve) => control.held?.push(resolve));
      if (control.failWith) throw control.failWith;
      const result = await log.append(sessionId, events, options);
      control.appended.push(...events);
      control.batches.push(events.length);
      return result;
    },
  });
  const store: SessionStore = { ...inner, log: (principal) => wrap(inner.log(principal)) };
  return { store, control };
}

describe('an agent with a durable store', () => {
  it('asks a client only after it was told what the question is about', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    built.onPrompt(async (turn) => {
      const call = turn.toolCall({ title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } });
      await turn.askPermission(call);
      await turn.client.elicit({ message: 'Which?', form: { type: 'object', properties: {} }, toolCallId: call.id });
      const terminal = await turn.client.createTerminal({ command: 'npm' });
      call.start({ terminal });
      await terminal.release();
    });
    await using client = connectRawClient(built);
    client.connection.onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'allow_once' },
    }));
    client.connection.onRequest('elicitation/create', () => ({ action: 'decline' }));
    client.connection.onRequest('terminal/create', () => ({ terminalId: 't1' }));
    client.connection.onRequest('terminal/release', () => ({}));
    await client.initialize(ALL_CAPABILITIES);
    const { sessionId } = await client.newSession();
    // The first prompt loads what permissions need, so that the second one meets nothing slower than the log.
    await client.prompt(sessionId, 'warm up');
    client.messages.length = 0;
    control.isSlow = true;
    await client.prompt(sessionId, 'go');
    const order = client.messages.flatMap((message) => {
      const { method, params } = message as { method?: string; params?: { update?: { sessionUpdate: string } } };
      return method === undefined ? [] : [params?.update?.sessionUpdate ?? method];
    });
    expect(order.filter((name) => name !== 'available_commands_update')).toEqual([
      'tool_call',
      'session/request_permission',
      'elicitation/create',
      'terminal/create',
      'tool_call_update',
      'terminal/release',
      'tool_call_update',
    ]);
  });

  it('shows nothing before it is stored, and answers after it was shown', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    built.onPrompt(async (turn) => {
      void turn.say('one');
      turn.toolCall({ title: 'Look' }).complete();
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    control.held = [];
    let isAnswered = false;
    const answer = client.prompt(sessionId, 'go').then(() => {
      isAnswered = true;
    });
    await until(() => control.held?.length === 1);
    for (let turns = 0; turns < 5; turns++) await settle();
    expect(client.updates()).toEqual([]);
    expect(isAnswered).toBe(false);
    const { held } = control;
    control.held = undefined;
    for (const release of held) release();
    await answer;
    expect(client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
    ]);
    expect(control.appended.map(({ kind }) => kind)).toEqual([
      'turn_start',
      'message_chunk',
      'message_chunk',
      'tool_call',
      'tool_call',
      'turn_end',
    ]);
  });

  it('joins pieces of text that come faster than they can be stored, and loses none', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    built.onPrompt(async (turn) => {
      for (let index = 0; index < 1000; index++) {
        void turn.say(`${index},`);
        if (index % 50 === 0) await settle();
      }
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'count');
    expect(client.said()).toBe(Array.from({ length: 1000 }, (_, index) => `${index},`).join(''));
    expect(control.appended.length).toBeLessThan(200);
    expect(client.updates()).toHaveLength(control.appended.filter(({ kind }) => kind === 'message_chunk').length - 1);
  });

  it('writes much in portions, so that other sessions can write in between', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    built.onPrompt(async (turn) => {
      for (let index = 0; index < 5000; index++) void turn.plan([]);
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(client.updates()).toHaveLength(5000);
    expect(Math.max(...control.batches)).toBeLessThanOrEqual(1024);
  });

  it('reports why a turn was aborted, also when it is cancelled before its handler has ended', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    let goOn = (): void => {};
    let onAborted = (): void => {};
    const aborted = new Promise<void>((resolve) => {
      onAborted = resolve;
    });
    built.onPrompt(async (turn) => {
      control.failWith = new StoreError('store_full', 'The disk is full.');
      void turn.say('never seen');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      const gate = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      onAborted();
      await gate;
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const failed = errorOf(client.prompt(sessionId, 'fail'));
    await aborted;
    client.notify('session/cancel', { sessionId });
    // An answer shows that the cancel before it was handled.
    await client.request('session/list', {}).catch(() => {});
    goOn();
    expect(await failed).toMatchObject({ code: -32603, data: { reason: 'log_failed' } });
  });

  it('fails the turn clearly when the log cannot be written, shows nothing of it, and recovers', async () => {
    const { store, control } = controlledStore();
    const { built, diagnostics } = testAgent({ store });
    let aborted: unknown;
    built.onPrompt(async (turn) => {
      if (turn.text !== 'fail') return void turn.say('fine');
      control.failWith = new StoreError('store_full', 'The disk is full.');
      void turn.say('never seen');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      aborted = (turn.signal.reason as { code?: string }).code;
      void turn.say('neither');
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const error = await errorOf(client.prompt(sessionId, 'fail'));
    expect(error).toMatchObject({ code: -32603, data: { reason: 'log_failed' } });
    expect(error.message).toContain('The disk is full.');
    expect(aborted).toBe('log_failed');
    expect(client.updates()).toEqual([]);
    expect(diagnostics.map(({ kind }) => kind)).toContain('log_failed');
    control.failWith = undefined;
    expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
    expect(client.said()).toBe('fine');
    client.received.splice(0);
    await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(client.said()).toBe('fine');
  });

  it('answers a cancelled turn with cancelled even when the log cannot be written', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store });
    built.onPrompt(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const answer = client.prompt(sessionId, 'go');
    await until(() => control.appended.length > 0);
    control.failWith = new StoreError('store_io', 'The disk is gone.');
    client.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
  });

  it('asks the author to wait when the log is slow, and refuses to hold more than it may', async () => {
    const { store, control } = controlledStore();
    const { built } = testAgent({ store, limits: { highWaterEvents: 10, maxWaitingEvents: 20 } });
    const waits: number[] = [];
    built.onPrompt(async (turn) => {
      control.held = [];
      for (let index = 0; index < 100; index++) {
        const slow = turn.plan([]);
        if (slow) waits.push(index);
      }
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const answer = errorOf(client.prompt(sessionId, 'go'));
    await until(() => (control.held?.length ?? 0) > 0);
    const { held } = control;
    control.held = undefined;
    for (const release of held ?? []) release();
    expect(await answer).toMatchObject({ code: -32603 });
    expect(waits[0]).toBeLessThan(10);
    expect(waits.at(-1)).toBeLessThan(20);
    expect(await errorOf(client.prompt('nope', ''))).toMatchObject({ code: -32002 });
  });

  it('finds sessions, settings and its own state again after a restart', async () => {
    const store = memoryStore({ isShared: true });
    const start = () => {
      const { built } = testAgent({ store });
      return built
        .mode({ id: 'a', name: 'A' })
        .mode({ id: 'b', name: 'B' })
        .option({ id: 'model', name: 'Model', values: ['s', 'l'] })
        .onPrompt(async (turn) => {
          const { session } = turn;
          session.state.count = Number(session.state.count ?? 0) + 1;
          void turn.say(JSON.stringify([session.mode, session.options, session.state]));
        });
    };
    const first = connectRawClient(start());
    await first.initialize();
    const { sessionId } = await first.newSession();
    await first.request('session/set_mode', { sessionId, modeId: 'b' });
    await first.request('session/set_config_option', { sessionId, configId: 'model', value: 'l' });
    await first.prompt(sessionId, 'one');
    await first[Symbol.asyncDispose]();

    await using second = connectRawClient(start());
    await second.initialize();
    const resumed = await second.request('session/resume', { sessionId, cwd: CWD });
    expect(resumed).toMatchObject({ modes: { currentModeId: 'b' } });
    await second.prompt(sessionId, 'two');
    expect(JSON.parse(second.said())).toEqual(['b', { model: 'l' }, { count: 2 }]);
  });

  it('tells the person, and its author, what is wrong with the store', async () => {
    const { built, diagnostics } = testAgent({ store: sqliteStore({ path: '/dev/null/sessions.db' }) });
    await using client = connectRawClient(built.onPrompt(async () => {}));
    await client.initialize();
    const fault = {
      code: -32603,
      message: expect.stringContaining('The session store /dev/null/sessions.db cannot be opened'),
      data: { reason: 'store_unavailable' },
    };
    expect(await errorOf(client.newSession())).toMatchObject(fault);
    expect(await errorOf(client.request('session/list'))).toMatchObject(fault);
    expect(await errorOf(client.request('session/load', { sessionId: 's', cwd: CWD, mcpServers: [] }))).toMatchObject(
      fault,
    );
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['log_failed', 'log_failed', 'log_failed']);
  });

  it('says so when the state of a session cannot be saved, and goes on', async () => {
    const { built, diagnostics } = testAgent({ store: memoryStore({ isShared: true }) });
    built.onPrompt(async ({ session }) => {
      session.state.self = session.state;
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(diagnostics.map(({ kind }) => kind)).toContain('log_failed');
  });
});
