import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@parley/store/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Turn, TurnError } from '../../src/index.ts';
import { errorOf, settle, testAgent, until } from '../raw-client.ts';
import { connectV2Client, type V2Client } from './v2-client.ts';

/** Resolves when the turn is cancelled. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

async function open(handler: (turn: Turn) => Promise<void>, options = {}): Promise<[V2Client, string]> {
  const { built } = testAgent(options);
  const client = connectV2Client(built.onPrompt(handler));
  await client.initialize({ elicitation: { form: {} } });
  const { sessionId } = await client.newSession();
  return [client, sessionId];
}

describe('a prompt in version 2', () => {
  it('rule 89: is answered when it is part of the conversation, with the id that everybody sees', async () => {
    let finish = (): void => {};
    const [client, sessionId] = await open(async (turn) => {
      turn.say('Working.');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      turn.say('Done.');
    });
    await using _ = client;
    const { messageId } = await client.prompt(sessionId, 'hello');
    expect(client.states()).toEqual(['running']);
    expect(client.updates()).toContainEqual({
      sessionUpdate: 'user_message_chunk',
      messageId,
      content: { type: 'text', text: 'hello' },
    });
    finish();
    await client.untilIdle();
    expect(client.states()).toEqual(['running', 'idle end_turn']);
    expect(client.said()).toBe('Working.Done.');
    // The end of the turn is the last that is told of it.
    expect(client.updates().at(-1)).toMatchObject({ sessionUpdate: 'state_update', state: 'idle' });
  });

  it.each(['in memory', 'on disk'])(
    'is answered before its turn ends, however short the turn is, %s',
    async (place) => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-short-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const store = sqliteStore({ path: join(folder, 'sessions.db') });
      const [client, sessionId] = await open(async () => {}, place === 'on disk' ? { store } : {});
      await using _ = client;
      await client.prompt(sessionId, 'hello');
      expect(client.states()).toEqual(['running']);
      await client.untilIdle();
      expect(client.states()).toEqual(['running', 'idle end_turn']);
    },
  );

  it('rule 97: without content is refused', async () => {
    const [client, sessionId] = await open(async () => {});
    await using _ = client;
    const empty = client.request('session/prompt', { sessionId, prompt: [] });
    expect(await errorOf(empty)).toMatchObject({ code: -32602 });
    expect(client.states()).toEqual([]);
  });

  it('waits while a turn runs, and is answered when its own begins', async () => {
    const [client, sessionId] = await open(async (turn) => {
      turn.say(`<${turn.text}`);
      await settle();
      turn.say('>');
    });
    await using _ = client;
    const answers: string[] = [];
    const prompts = ['a', 'b', 'c'].map(async (text) => {
      await client.prompt(sessionId, text);
      answers.push(`${text} after ${client.states().filter((state) => state.startsWith('idle')).length}`);
    });
    await Promise.all(prompts);
    await client.untilIdle(3);
    expect(answers).toEqual(['a after 0', 'b after 1', 'c after 2']);
    expect(client.said()).toBe('<a><b><c>');
  });

  it('that fails ends as idle with the error, and the prompt itself is no error', async () => {
    const [client, sessionId] = await open(async () => {
      throw new TurnError('The model is not there.', { rpcCode: -32050 });
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(client.updates().at(-1)).toMatchObject({
      state: 'idle',
      stopReason: 'error',
      error: { code: -32050, message: 'The model is not there.' },
    });
  });

  it('of an unknown session is refused', async () => {
    const [client] = await open(async () => {});
    await using _ = client;
    expect(await errorOf(client.prompt('none', 'go'))).toMatchObject({ code: -32002 });
  });

  it('with a key runs once, and is answered with the same message', async () => {
    const [client, sessionId] = await open(async (turn) => void turn.say('x'));
    await using _ = client;
    const meta = { 'parley/promptKey': 'only-once' };
    const first = await client.prompt(sessionId, 'go', meta);
    await client.untilIdle();
    expect(await client.prompt(sessionId, 'go', meta)).toEqual(first);
    expect(client.said()).toBe('x');
  });

  it('tells the tokens of its turn where the agent serves what is unstable', async () => {
    const [client, sessionId] = await open(async (turn) => turn.addTokens({ inputTokens: 3, outputTokens: 4 }), {
      unstable: true,
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(client.updates().at(-1)).toMatchObject({ usage: { totalTokens: 7, inputTokens: 3, outputTokens: 4 } });
  });
});

describe('cancelling in version 2', () => {
  it('rule 91: ends the turn as cancelled after all that it still says, and drops the prompts that wait', async () => {
    const [client, sessionId] = await open(async (turn) => {
      const call = turn.toolCall({ title: 'Wait' });
      call.start();
      await untilAborted(turn.signal);
      turn.say('Stopping.');
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    const waiting = errorOf(client.prompt(sessionId, 'never'));
    await until(() => client.updates().some(({ sessionUpdate }) => sessionUpdate === 'tool_call_update'));
    client.notify('session/cancel', { sessionId });
    expect(await waiting).toMatchObject({ code: -32800 });
    await client.untilIdle();
    expect(client.states()).toEqual(['running', 'idle cancelled']);
    expect(client.said()).toBe('Stopping.');
    const calls = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update');
    expect(calls.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(client.updates().at(-1)).toMatchObject({ state: 'idle' });
    // A turn after it runs as any other.
    const next = client.prompt(sessionId, 'again');
    await next;
    client.notify('session/cancel', { sessionId });
    await client.untilIdle(2);
  });

  it('rule 92: withdraws a prompt by its request while it waits', async () => {
    const [client, sessionId] = await open((turn) => untilAborted(turn.signal));
    await using _ = client;
    await client.prompt(sessionId, 'go');
    const withdrawal = new AbortController();
    const withdrawn = client.request(
      'session/prompt',
      { sessionId, prompt: [{ type: 'text', text: 'no' }] },
      { signal: withdrawal.signal },
    );
    await settle();
    withdrawal.abort();
    await expect(withdrawn).rejects.toThrow();
    client.notify('session/cancel', { sessionId });
    await client.untilIdle();
    await settle();
    expect(client.states()).toEqual(['running', 'idle cancelled']);
  });

  it('rule 74: by closing the session tells the end before the answer, and nothing after it', async () => {
    const [client, sessionId] = await open(async (turn) => {
      await untilAborted(turn.signal);
      turn.say('Last words.');
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    const waiting = errorOf(client.prompt(sessionId, 'never'));
    await settle();
    expect(await client.request('session/close', { sessionId })).toEqual({});
    expect(await waiting).toMatchObject({ code: -32800 });
    expect(client.states()).toEqual(['running', 'idle cancelled']);
    expect(client.said()).toBe('Last words.');
    const count = client.messages.length;
    await settle();
    expect(client.messages.length).toBe(count);
    expect(await client.request('session/close', { sessionId })).toEqual({});
    expect(await client.request('session/close', { sessionId: 'never-was' })).toEqual({});
  });

  it('happens to the turns of a client that is gone', async () => {
    let ended = '';
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      await untilAborted(turn.signal);
      ended = 'cancelled';
    });
    const client = connectV2Client(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    await client[Symbol.asyncDispose]();
    expect(ended).toBe('cancelled');
  });
});

describe('what a turn asks in version 2', () => {
  it('rule 110: says what it is about, makes the session wait for the person, and go on with the answer', async () => {
    const [client, sessionId] = await open(async (turn) => {
      const call = turn.toolCall({ title: 'Remove it', kind: 'delete' });
      const { allowed } = await turn.askPermission(call, { title: 'May it go?', description: 'It is old.' });
      if (allowed) call.complete();
      else call.fail();
    });
    await using _ = client;
    const asked: unknown[] = [];
    const statesThen: string[][] = [];
    client.connection.onRequest('session/request_permission', ({ params }) => {
      asked.push(params);
      statesThen.push(client.states());
      return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    });
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(asked).toMatchObject([
      {
        sessionId,
        title: 'May it go?',
        description: 'It is old.',
        subject: { type: 'tool_call', toolCall: { title: 'Remove it', kind: 'delete' } },
        options: expect.arrayContaining([expect.objectContaining({ kind: 'allow_once' })]),
      },
    ]);
    expect(statesThen).toEqual([['running', 'requires_action']]);
    expect(client.states()).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);
  });

  it.each([{ outcome: { outcome: '_something_new', optionId: 'allow_once' } }, { outcome: { outcome: 'cancelled' } }])(
    'rule 109: is not permitted by %o',
    async (answer) => {
      let isAllowed: boolean | undefined;
      const [client, sessionId] = await open(async (turn) => {
        isAllowed = (await turn.askPermission(turn.toolCall({ title: 'Remove it' }))).allowed;
      });
      await using _ = client;
      client.connection.onRequest('session/request_permission', () => answer);
      await client.prompt(sessionId, 'go');
      await client.untilIdle();
      expect(isAllowed).toBe(false);
    },
  );

  it('rule 90: is withdrawn by a cancel, and the session does not go on in between', async () => {
    const [client, sessionId] = await open(async (turn) => {
      await turn.askPermission(turn.toolCall({ title: 'Remove it' }));
    });
    await using _ = client;
    client.connection.onRequest('session/request_permission', ({ signal }) =>
      untilAborted(signal).then(() => ({ outcome: { outcome: 'cancelled' } })),
    );
    await client.prompt(sessionId, 'go');
    await until(() => client.states().includes('requires_action'));
    client.notify('session/cancel', { sessionId });
    await client.untilIdle();
    expect(client.states()).toEqual(['running', 'requires_action', 'idle cancelled']);
  });

  it('may be a form, which comes with the session it belongs to', async () => {
    let answer: unknown;
    const [client, sessionId] = await open(async (turn) => {
      answer = await turn.client.elicit({
        message: 'Which?',
        form: { type: 'object', properties: { name: { type: 'string' } } },
      });
    });
    await using _ = client;
    client.connection.onRequest('elicitation/create', ({ params }) => {
      expect(params).toMatchObject({ sessionId, mode: 'form', message: 'Which?' });
      return { action: 'accept', content: { name: 'this' } };
    });
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(answer).toEqual({ action: 'accept', content: { name: 'this' } });
    expect(client.states()).toEqual(['running', 'requires_action', 'running', 'idle end_turn']);
  });

  it('is nothing about files and terminals: those are the agent’s own', async () => {
    const errors: unknown[] = [];
    const [client, sessionId] = await open(async ({ client: asked }) => {
      expect(asked.offers).toMatchObject({ readTextFile: false, writeTextFile: false, terminals: false });
      for (const call of [() => asked.readTextFile('/a'), () => asked.createTerminal({ command: 'ls' })])
        await call().catch((error: unknown) => errors.push((error as { code: string }).code));
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    expect(errors).toEqual(['capability_missing', 'capability_missing']);
  });
});
