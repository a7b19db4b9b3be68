import { describe, expect, it } from 'vitest';
import type { PromptHandler, Turn } from '../../src/index.ts';
import { connectRawClient, errorOf, type RawClient, settle, testAgent, until } from '../raw-client.ts';

const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;

async function open(handler: PromptHandler, options: Parameters<typeof testAgent>[0] = {}) {
  const { built, diagnostics } = testAgent(options);
  const client = connectRawClient(built.onPrompt(handler));
  await client.initialize();
  const { sessionId } = await client.newSession();
  return {
    client,
    diagnostics,
    sessionId,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Resolves when the turn's signal aborts. */
function aborted({ signal }: Turn): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

/** The place of each update and answer in the order in which they arrived. */
function order({ messages }: RawClient): string[] {
  return messages.flatMap((message) => {
    const { params, result } = message as {
      params?: { update?: { sessionUpdate: string } };
      result?: { stopReason?: string };
    };
    if (params?.update) return [params.update.sessionUpdate];
    return result?.stopReason ? ['answer'] : [];
  });
}

describe('a prompt', () => {
  it('rule 75: refuses content of a type that was not advertised with -32602, and names it', async () => {
    const { built } = testAgent();
    const client = connectRawClient(built.accepts('image').onPrompt(async () => 'end_turn'));
    await client.initialize();
    const { sessionId } = await client.newSession();
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
    const audio = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
    const resource = { type: 'resource', resource: { uri: 'file:///a', text: 'x' } };
    const ask = (...prompt: object[]) => client.request('session/prompt', { sessionId, prompt });
    expect(await ask(image)).toEqual({ stopReason: 'end_turn' });
    const error = await errorOf(ask(image, audio));
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toContain('prompt[1]');
    expect(await errorOf(ask(resource))).toMatchObject({ code: -32602 });
    expect(await errorOf(ask({ type: 'video', data: '' }))).toMatchObject({ code: -32602 });
    await client[Symbol.asyncDispose]();
  });

  it('rule 76: always takes text and links', async () => {
    let content: unknown;
    await using test = await open(async (turn) => {
      ({ content } = turn);
    });
    const prompt = [
      { type: 'text', text: 'look' },
      { type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts' },
    ];
    await test.client.request('session/prompt', { sessionId: test.sessionId, prompt });
    expect(content).toEqual(prompt);
  });

  it.each(STOP_REASONS)('rule 77: is answered with the stop reason %s', async (stopReason) => {
    await using test = await open(async () => stopReason);
    expect(await test.client.prompt(test.sessionId, 'go')).toEqual({ stopReason });
  });

  it('rule 77: is answered with an error when the handler returns no stop reason', async () => {
    await using test = await open(async (turn) => (turn.text === 'bad' ? ('finished' as 'end_turn') : undefined));
    expect(await errorOf(test.client.prompt(test.sessionId, 'bad'))).toMatchObject({ code: -32603 });
    expect(await test.client.prompt(test.sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 78: leaves no tool call open', async () => {
    await using test = await open(async (turn) => {
      turn.toolCall({ title: 'Forgotten', id: 'a' });
      turn.toolCall({ title: 'Begun', id: 'b' }).start();
      turn.toolCall({ title: 'Done', id: 'c' }).complete();
    });
    await test.client.prompt(test.sessionId, 'go');
    const last = new Map<string, string | null | undefined>();
    for (const update of test.client.updates()) {
      if ('toolCallId' in update && update.status) last.set(update.toolCallId, update.status);
    }
    expect(Object.fromEntries(last)).toEqual({ a: 'failed', b: 'failed', c: 'completed' });
    expect(test.diagnostics.map(({ kind }) => kind)).toEqual(['tool_call_left_open', 'tool_call_left_open']);
    expect(order(test.client).at(-1)).toBe('answer');
  });

  it('rule 79: is answered after all of its updates', async () => {
    await using test = await open(async (turn) => {
      for (let index = 0; index < 500; index++) {
        void turn.say(`${index} `);
        if (index % 100 === 0) await settle();
      }
      turn.toolCall({ title: 'Late' });
    });
    await test.client.prompt(test.sessionId, 'go');
    await settle();
    const arrived = order(test.client);
    expect(arrived).toHaveLength(503);
    expect(arrived.indexOf('answer')).toBe(502);
    expect(test.client.said()).toBe(Array.from({ length: 500 }, (_, index) => `${index} `).join(''));
  });

  const ENDINGS: Record<string, PromptHandler> = {
    returns: async (turn) => {
      await aborted(turn);
    },
    'throws the reason': async (turn) => {
      await aborted(turn);
      turn.signal.throwIfAborted();
    },
    'throws something else': async (turn) => {
      await aborted(turn);
      throw new TypeError('socket hung up');
    },
    'never ends': () => new Promise<undefined>(() => {}),
  };

  it.each(Object.entries(ENDINGS))(
    'rule 80: is answered with cancelled when its handler %s on cancel',
    async (_, handler) => {
      let isFirst = true;
      await using test = await open(
        async (turn) => {
          if (!isFirst) return;
          isFirst = false;
          await handler(turn);
        },
        { limits: { cancelGraceMs: 5 } },
      );
      const { client, sessionId } = test;
      const answer = client.prompt(sessionId, 'go');
      await settle();
      client.notify('session/cancel', { sessionId });
      expect(await answer).toEqual({ stopReason: 'cancelled' });
      expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
    },
  );

  it('rule 80: is cancelled by a cancel that comes right behind it', async () => {
    await using test = await open(async (turn) => {
      await aborted(turn);
    });
    const { client, sessionId } = test;
    const answer = client.prompt(sessionId, 'go');
    client.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
  });

  it('rule 83: stops what it does as soon as it is cancelled', async () => {
    let said = 0;
    await using test = await open(async (turn) => {
      while (!turn.signal.aborted) {
        void turn.say('.');
        said++;
        await settle();
      }
    });
    const { client, sessionId } = test;
    const answer = client.prompt(sessionId, 'go');
    await until(() => said > 3);
    client.notify('session/cancel', { sessionId });
    await answer;
    const atEnd = said;
    await settle();
    expect(said).toBe(atEnd);
  });

  it('rule 84: is not there to cancel: then cancel does nothing', async () => {
    await using test = await open(async () => 'end_turn');
    const { client, sessionId } = test;
    client.notify('session/cancel', { sessionId });
    client.notify('session/cancel', { sessionId: 'sess_nope' });
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
    client.notify('session/cancel', { sessionId });
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 85: is not touched by the cancel of another session', async () => {
    let finish = (): void => {};
    await using test = await open(async (turn) => {
      if (turn.text === 'cancel me') return aborted(turn);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      void turn.say(`aborted: ${turn.signal.aborted}`);
    });
    const { client, sessionId } = test;
    const { sessionId: other } = await client.newSession();
    const stays = client.prompt(sessionId, 'stay');
    const goes = client.prompt(other, 'cancel me');
    client.notify('session/cancel', { sessionId: other });
    expect(await goes).toEqual({ stopReason: 'cancelled' });
    finish();
    expect(await stays).toEqual({ stopReason: 'end_turn' });
    expect(client.said(sessionId)).toBe('aborted: false');
  });

  it('rule 86: may still say something between the cancel and the answer', async () => {
    await using test = await open(async (turn) => {
      const call = turn.toolCall({ title: 'Work' });
      await aborted(turn);
      call.fail('Stopped half way.');
      void turn.say('stopped');
    });
    const { client, sessionId } = test;
    const answer = client.prompt(sessionId, 'go');
    await settle();
    client.notify('session/cancel', { sessionId });
    await answer;
    expect(order(client)).toEqual(['tool_call', 'tool_call_update', 'agent_message_chunk', 'answer']);
  });

  it('rule 87: is forgotten when it was refused: neither it nor what came of it is part of the history', async () => {
    await using test = await open(async (turn) => {
      const texts: string[] = [];
      for await (const event of turn.session.history()) {
        if (event.type === 'message_chunk' && event.content.type === 'text') texts.push(event.content.text);
      }
      void turn.say(texts.join('|'));
      return turn.text === 'bad' ? 'refusal' : 'end_turn';
    });
    const { client, sessionId } = test;
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, 'bad');
    client.received.splice(0);
    await client.prompt(sessionId, 'two');
    expect(client.said()).toBe('one|one|two');
  });

  it('rule 88: gives each message an id that all of its pieces share', async () => {
    await using test = await open(async (turn) => {
      void turn.say('a');
      void turn.say('b');
      void turn.think('hm');
      void turn.say('c');
      turn.toolCall({ title: 'Look' }).complete();
      void turn.say('d');
      void turn.update({
        type: 'message_chunk',
        speaker: 'agent',
        messageId: 'mine',
        content: { type: 'text', text: 'e' },
      });
    });
    await test.client.prompt(test.sessionId, 'go');
    const ids = test.client.updates().flatMap((update) => {
      return update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk'
        ? [update.messageId]
        : [];
    });
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(5);
    expect(ids.at(-1)).toBe('mine');
    for (const id of ids) expect(id).toEqual(expect.any(String));
  });

  it('rule 96: tells what it used with all that the protocol wants', async () => {
    await using test = await open(
      async (turn) => void turn.usage({ used: 5, size: 100, cost: { amount: 0.25, currency: 'USD' } }),
    );
    await test.client.prompt(test.sessionId, 'go');
    expect(test.client.updates()).toEqual([
      { sessionUpdate: 'usage_update', used: 5, size: 100, cost: { amount: 0.25, currency: 'USD' } },
    ]);
  });
});

describe('turns and sessions', () => {
  it('run one turn per session: a second prompt is refused with -32600, the first goes on', async () => {
    let finish = (): void => {};
    await using test = await open(async (turn) => {
      if (turn.text === 'first') {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      }
    });
    const { client, sessionId } = test;
    const first = client.prompt(sessionId, 'first');
    expect(await errorOf(client.prompt(sessionId, 'second'))).toMatchObject({ code: -32600, data: { sessionId } });
    finish();
    expect(await first).toEqual({ stopReason: 'end_turn' });
    expect(await client.prompt(sessionId, 'third')).toEqual({ stopReason: 'end_turn' });
  });

  it('run in parallel in different sessions', async () => {
    let waiting = 0;
    let release = (): void => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using test = await open(async () => {
      if (++waiting === 20) release();
      await all;
    });
    const { client } = test;
    const sessions = await Promise.all(Array.from({ length: 20 }, () => client.newSession()));
    const answers = await Promise.all(sessions.map(({ sessionId }) => client.prompt(sessionId, 'go')));
    expect(answers).toEqual(Array(20).fill({ stopReason: 'end_turn' }));
  });

  it('drop what is said after the end, and say so; session.update speaks outside of turns', async () => {
    let last: Turn | undefined;
    await using test = await open(async (turn) => {
      last = turn;
    });
    const { client, sessionId, diagnostics } = test;
    await client.prompt(sessionId, 'go');
    void last?.say('too late');
    last?.toolCall({ title: 'Too late' }).complete();
    expect(last?.signal.aborted).toBe(true);
    void last?.session.update({ type: 'usage', used: 1, size: 2 });
    await until(() => client.updates().length > 0);
    expect(client.updates()).toEqual([{ sessionUpdate: 'usage_update', used: 1, size: 2 }]);
    expect(new Set(diagnostics.map(({ kind }) => kind))).toEqual(new Set(['turn_over']));
  });

  it('know their slash command, and can have a handler for it', async () => {
    const { built } = testAgent();
    built
      .command(
        { name: 'review', description: 'Review', hint: 'what' },
        async (turn) => void turn.say(`review of ${turn.command?.input}`),
      )
      .command({ name: 'plain', description: 'Plain' })
      .onPrompt(async (turn) => void turn.say(`prompt ${turn.command?.name}`));
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, '/review the diff');
    await client.prompt(sessionId, '/plain');
    await client.prompt(sessionId, '/unknown');
    expect(client.said()).toBe('review of the diffprompt plainprompt undefined');
  });
});
