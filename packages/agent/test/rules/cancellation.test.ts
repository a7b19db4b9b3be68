import { describe, expect, it } from 'vitest';
import type { PromptHandler } from '../../src/index.ts';
import { ALL_CAPABILITIES, connectRawClient, errorOf, settle, testAgent, until } from '../raw-client.ts';

async function open(handler: PromptHandler) {
  const { built } = testAgent();
  const client = connectRawClient(built.onPrompt(handler));
  await client.initialize(ALL_CAPABILITIES);
  const { sessionId } = await client.newSession();
  return { client, sessionId, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** Ids of the agent's requests to the client, by method, and which of them it has withdrawn. */
function asked(client: Awaited<ReturnType<typeof open>>['client']) {
  const messages = client.messages as { id?: number; method?: string; params?: { requestId?: number } }[];
  return {
    ids: messages.filter(({ id, method }) => id !== undefined && method !== undefined).map(({ id }) => id),
    withdrawn: messages.filter(({ method }) => method === '$/cancel_request').map(({ params }) => params?.requestId),
  };
}

describe('cancellation of requests', () => {
  it('rule 143: a withdrawn prompt is still answered once, with cancelled', async () => {
    await using test = await open(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    const { client, sessionId } = test;
    const answers: unknown[] = [];
    client.connection.tap((direction, message) => {
      if (direction === 'in' && 'id' in (message as object)) answers.push(message);
    });
    const controller = new AbortController();
    const params = { sessionId, prompt: [{ type: 'text', text: 'go' }] };
    const prompt = errorOf(client.request('session/prompt', params, { signal: controller.signal }));
    await settle();
    controller.abort();
    await prompt;
    await until(() => answers.length > 0);
    await settle();
    expect(answers).toMatchObject([{ result: { stopReason: 'cancelled' } }]);
  });

  it('rule 143: a withdrawn session/new is answered with -32800 and leaves no session behind', async () => {
    const { built } = testAgent();
    built
      .onPrompt(async () => 'end_turn')
      .onSession(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        signal.throwIfAborted();
      });
    await using client = connectRawClient(built);
    await client.initialize();
    const controller = new AbortController();
    const opening = errorOf(client.request('session/new', { cwd: '/', mcpServers: [] }, { signal: controller.signal }));
    await until(() => client.messages.length === 1);
    for (let turns = 0; turns < 5; turns++) await settle();
    controller.abort();
    await opening;
    await until(() => client.messages.length === 2);
    expect(client.messages.at(-1)).toMatchObject({ error: { code: -32800 } });
    expect(await client.request('session/list')).toEqual({ sessions: [] });
  });

  it('rule 144: withdrawing what is unknown or finished does nothing', async () => {
    await using test = await open(async () => 'end_turn');
    const { client, sessionId } = test;
    await client.prompt(sessionId, 'go');
    for (const requestId of [1, 2, 3, 99, 'x', null]) client.notify('$/cancel_request', { requestId });
    client.notify('$/cancel_request');
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 145: work that the end of the connection cuts off is answered as cancelled to those who still read', async () => {
    const { built } = testAgent();
    built.onPrompt(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const prompt = errorOf(client.prompt(sessionId, 'go'));
    await settle();
    await client.connection.close();
    expect(await client.served).toMatchObject({ kind: 'ended' });
    expect(await prompt).toMatchObject({ code: 'connection_closed' });
  });

  it.each<[string, PromptHandler]>([
    ['a permission', async (turn) => void (await turn.askPermission(turn.toolCall({ title: 'Run', kind: 'other' })))],
    ['a file', async ({ client }) => void (await client.readTextFile('/a'))],
    ['a form', async ({ client }) => void (await client.elicit({ message: 'Name?', form: {} }))],
    ['a page', async ({ client }) => void (await client.elicit({ message: 'Go', url: 'https://example.com' }))],
    ['a request of its own', async ({ client }) => void (await client.request('_own', {}))],
  ])('rule 146: cancelling a prompt withdraws the question for %s', async (_, handler) => {
    let isFirst = true;
    await using test = await open(async (turn) => {
      if (!isFirst) return;
      isFirst = false;
      await handler(turn);
    });
    const { client, sessionId } = test;
    client.connection.onAnyRequest(() => new Promise(() => {}));
    const answer = client.prompt(sessionId, 'go');
    await until(() => asked(client).ids.length === 1);
    client.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(asked(client).withdrawn).toEqual(asked(client).ids);
    expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 146: what a turn asked and did not wait for is withdrawn when it ends', async () => {
    await using test = await open(async (turn) => {
      void turn.client.readTextFile('/a');
      void turn.client.request('_own');
      return 'end_turn';
    });
    const { client, sessionId } = test;
    client.connection.onAnyRequest(() => new Promise(() => {}));
    await client.prompt(sessionId, 'go');
    expect(asked(client).ids).toHaveLength(2);
    expect(asked(client).withdrawn).toEqual(asked(client).ids);
  });

  it('rule 147: both sides count their requests for themselves', async () => {
    await using test = await open(async ({ client }) => {
      await client.readTextFile('/a');
    });
    const { client, sessionId } = test;
    client.connection.onRequest('fs/read_text_file', () => ({ content: '' }));
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, 'two');
    expect(asked(client).ids).toEqual([1, 2]);
  });
});
