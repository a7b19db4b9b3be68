import type { SessionEvent } from '@parley/session';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { AgentOptions, PromptHandler, Turn } from '../src/index.ts';
import {
  ALL_CAPABILITIES,
  CWD,
  connectRawClient,
  errorOf,
  type RawClient,
  settle,
  testAgent,
  until,
} from './raw-client.ts';

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

const STORES: readonly [string, () => Partial<AgentOptions>][] = [
  ['without a store', () => ({})],
  ['with a store', () => ({ store: memoryStore({ isShared: true }) })],
];

/** An agent with this handler, a client of it, and a session. */
async function start(handler: PromptHandler, options: Partial<AgentOptions>) {
  const { built, diagnostics } = testAgent(options);
  const client = connectRawClient(built.onPrompt(handler));
  await client.initialize(ALL_CAPABILITIES);
  const { sessionId } = await client.newSession();
  return { client, diagnostics, sessionId, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** Loads the session, and gives what its client is told. */
async function reload(client: RawClient, sessionId: string) {
  client.received.length = 0;
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return client.updates();
}

describe.each(STORES)('an agent %s', (_, options) => {
  it('shows and keeps what was said as it was said, whatever becomes of the objects it was said with', async () => {
    const tool = { type: 'tool_call' as const, toolCallId: 't', title: 'before', rawInput: { path: 'before' } };
    const entry = { content: 'before', priority: 'high' as const, status: 'pending' as const };
    const image = { type: 'image' as const, data: 'YmVmb3Jl', mimeType: 'image/png' };
    const text = { type: 'text' as const, text: 'before' };
    await using started = await start(async (turn) => {
      void turn.update(tool);
      void turn.plan([entry]);
      void turn.say(image);
      const chunk = { type: 'message_chunk' as const, speaker: 'agent' as const, messageId: 'before', content: text };
      void turn.update(chunk);
      tool.title = 'after';
      tool.rawInput.path = 'after';
      entry.content = 'after';
      image.data = 'YWZ0ZXI=';
      text.text = 'after';
      chunk.messageId = 'after';
    }, options());
    const { client, sessionId } = started;
    await client.prompt(sessionId, 'go');
    expect(JSON.stringify(client.updates())).not.toMatch(/after|YWZ0ZXI=/);
    const loaded = JSON.stringify(await reload(client, sessionId));
    expect(loaded).not.toMatch(/after|YWZ0ZXI=/);
    expect(loaded.match(/before/g)).toHaveLength(5);
  });

  it.each<[string, unknown]>([
    ['holds itself', { type: 'tool_call', toolCallId: 'x', title: 'x', rawInput: cyclic }],
    ['holds a BigInt', { type: 'tool_call', toolCallId: 'x', title: 'x', rawInput: 1n }],
    ['is an update of version 1', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }],
    ['has no type', { content: { type: 'text', text: 'x' } }],
    ['has a type that nothing is', { type: 'agent_message_chunk', content: { type: 'text', text: 'x' } }],
    ['has no list where one belongs', { type: 'plan' }],
    ['has null for a list', { type: 'tool_call', toolCallId: 'x', title: 'x', content: null }],
    ['has no content', { type: 'message_chunk', speaker: 'agent' }],
    ['is too large', { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: 'x'.repeat(40_000) } }],
    ['has too large a text in it', { type: 'tool_call', toolCallId: 'x', title: 'x', rawOutput: 'é'.repeat(600) }],
  ])('refuses an update that %s where it is made, and nothing else is lost with it', async (__, event) => {
    const thrown: unknown[] = [];
    await using started = await start(
      async (turn) => {
        void turn.say('one ');
        try {
          void turn.update(event as SessionEvent);
        } catch (error) {
          thrown.push(error);
        }
        void turn.say('two');
      },
      { ...options(), limits: { maxUpdateBytes: 1000 } },
    );
    const { client, sessionId } = started;
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(thrown).toMatchObject([{ code: 'invalid_update' }]);
    expect(client.said()).toBe('one two');
    await reload(client, sessionId);
    expect(client.said()).toBe('one two');
  });

  it('names the mistake when an update of the protocol is given for an event', async () => {
    await using started = await start(async (turn) => {
      const update = { sessionUpdate: 'plan', entries: [] } as unknown as SessionEvent;
      expect(() => void turn.update(update)).toThrow(
        'An update was refused: it is an update of the protocol (sessionUpdate "plan"), and an event of a session is expected; use turn.say()',
      );
    }, options());
    expect(await started.client.prompt(started.sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('ends a turn in good order though its tool call was given what cannot be written', async () => {
    await using started = await start(async (turn) => {
      const call = turn.toolCall({ title: 'Look' });
      expect(() => call.complete({ rawOutput: cyclic })).toThrow('cannot be written as JSON');
      expect(call.isFinal).toBe(false);
    }, options());
    const { client, sessionId, diagnostics } = started;
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['tool_call_left_open']);
    expect(client.updates().at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'failed' });
  });

  it('outlives a listener for diagnostics that throws, and an error that cannot be shown', async () => {
    const failure = Object.defineProperty(new Error('x'), 'stack', {
      get() {
        throw new Error('no stack');
      },
    });
    const listener = ({ error }: { readonly error?: unknown }): void => {
      throw new Error(`The listener failed: ${error instanceof Error ? error.stack : ''}`);
    };
    await using started = await start(
      async (turn) => {
        if (turn.text === 'fail') throw failure;
        void turn.say('fine');
      },
      { ...options(), onDiagnostic: listener },
    );
    const { client, sessionId } = started;
    expect(await errorOf(client.prompt(sessionId, 'fail'))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('its log says why'),
    });
    expect(await client.prompt(sessionId, 'go on')).toEqual({ stopReason: 'end_turn' });
  });

  it('asks as much of a client at once as its author wants, without a warning', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    await using started = await start(async (turn) => {
      const calls = Array.from({ length: 100 }, (__, n) => turn.toolCall({ title: `${n}`, kind: 'execute' }));
      const decisions = await Promise.all(calls.map((call) => turn.askPermission(call)));
      const terminals = await Promise.all(calls.map(() => turn.client.createTerminal({ command: 'true' })));
      await Promise.all(terminals.map((terminal) => terminal.waitForExit()));
      void turn.say(String(decisions.filter(({ allowed }) => allowed).length));
    }, options());
    const { client, sessionId } = started;
    client.connection.onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'allow_once' },
    }));
    let terminals = 0;
    client.connection.onRequest('terminal/create', () => ({ terminalId: `${++terminals}` }));
    client.connection.onRequest('terminal/wait_for_exit', async () => ({ exitCode: 0 }));
    client.connection.onRequest('terminal/release', () => ({}));
    await client.prompt(sessionId, 'go');
    process.off('warning', onWarning);
    expect(client.said()).toBe('100');
    expect(warnings).toEqual([]);
  });
});

it('keeps all that an author says without ever waiting, up to what memory may hold', async () => {
  const count = 20_000;
  const text = 'x'.repeat(4000);
  await using started = await start(async (turn) => {
    for (let index = 0; index < count; index++) {
      void turn.update({ type: 'tool_call', toolCallId: `${index % 50}`, title: `${index}`, rawOutput: text });
    }
  }, {});
  const { client, sessionId } = started;
  expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  expect(
    (await reload(client, sessionId)).filter(({ sessionUpdate }) => sessionUpdate !== 'user_message_chunk'),
  ).toHaveLength(count);
});

it('closes what a turn left open even when the author said more than may wait', async () => {
  await using started = await start(
    async (turn) => {
      for (;;) turn.toolCall({ title: 'more' });
    },
    { store: memoryStore({ isShared: true }), limits: { maxWaitingEvents: 20 } },
  );
  const { client, sessionId } = started;
  expect(await errorOf(client.prompt(sessionId, 'go'))).toMatchObject({
    code: -32603,
    message: expect.stringContaining('its log says why'),
  });
  const updates = (await reload(client, sessionId)).filter((update) => 'status' in update);
  expect(updates.filter((update) => 'status' in update && update.status === 'pending').length).toBeGreaterThan(10);
  expect(updates.filter((update) => 'status' in update && update.status === 'failed')).toHaveLength(updates.length / 2);
});

describe('a loop that waits only when it is asked to', () => {
  it.each<[string, (turn: Turn) => void | Promise<void>]>([
    ['plans', (turn) => turn.plan([])],
    ['text', (turn) => turn.say('word ')],
  ])('of %s lets everything else happen too', async (__, tell) => {
    let hasHappened = false;
    await using started = await start(async (turn) => {
      setTimeout(() => {
        hasHappened = true;
      }, 0);
      for (let index = 0; index < 200_000 && !hasHappened; index++) {
        const slow = tell(turn);
        if (slow) await slow;
      }
    }, {});
    await started.client.prompt(started.sessionId, 'go');
    expect(hasHappened).toBe(true);
  });

  it('of text is asked to when much of it waits to be stored', async () => {
    let characters = 0;
    await using started = await start(
      async (turn) => {
        const piece = 'x'.repeat(1000);
        while (characters < 8_000_000) {
          characters += piece.length;
          const slow = turn.say(piece);
          if (slow) return void (await slow);
        }
      },
      { store: memoryStore({ isShared: true }) },
    );
    await started.client.prompt(started.sessionId, 'go');
    expect(characters).toBeLessThan(2_000_000);
    expect(started.client.said()).toHaveLength(characters);
  });

  it('is not stopped by a client that is told a long conversation meanwhile', async () => {
    await using started = await start(async (turn) => {
      for (let index = 0; index < 50_000; index++) await turn.plan([]);
    }, {});
    const { client, sessionId } = started;
    await client.prompt(sessionId, 'go');
    const happened: string[] = [];
    const loading = reload(client, sessionId).then(() => happened.push('loaded'));
    setTimeout(() => happened.push('something else'), 0);
    await loading;
    expect(happened).toEqual(['something else', 'loaded']);
  });
});

describe('what an agent says while a session is opened', () => {
  it.each(STORES)('is shown as soon as the client knows of it, %s', async (__, options) => {
    const { built } = testAgent(options());
    built.onSession(({ session, reason }) => {
      const content = { type: 'text' as const, text: `${reason} ` };
      void session.update({ type: 'message_chunk', speaker: 'agent', messageId: 'welcome', content });
      session.setCommands([{ name: 'help', description: 'Helps' }]);
    });
    built.onPrompt(async (turn) => void turn.say('answer '));
    const client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'at once');
    expect(client.said()).toBe('new answer ');
    const kinds = client.messages.map((message) => (message as { method?: string }).method ?? 'response');
    expect(kinds.slice(0, 3)).toEqual(['response', 'response', 'session/update']);
    await settle();
    expect(client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')).toHaveLength(
      1,
    );
    await client.request('session/close', { sessionId });

    client.received.length = 0;
    await client.request('session/resume', { sessionId, cwd: CWD });
    await until(() => client.said() !== '');
    expect(client.said()).toBe('resume ');
    await client.request('session/close', { sessionId });
    await reload(client, sessionId);
    expect(client.said()).toBe('new answer resume load ');
    await client[Symbol.asyncDispose]();
  });
});
