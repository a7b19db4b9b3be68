import type { Message } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { expect, it } from 'vitest';
import { CWD, connectRawClient, testAgent, until } from './raw-client.ts';

interface Arrived {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly stopReason?: string };
  readonly error?: { readonly code: number };
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } };

/** Sends everything at once, without waiting for an answer to any of it. */
function sendAtOnce(built: ReturnType<typeof testAgent>['built'], messages: readonly object[]) {
  const [near, far] = createMemoryPair();
  const arrived: Arrived[] = [];
  near.onMessage((value) => arrived.push(value as Arrived));
  const served = built.serve(far);
  for (const message of messages) void near.send(message as Message);
  return { near, served, arrived, answers: () => arrived.filter(({ id }) => id !== undefined) };
}

it('serves what a client sends behind initialize without waiting for its answer, in the order it was sent', async () => {
  const { built } = testAgent();
  const heard: string[] = [];
  built
    .onPrompt(async (turn) => void (await turn.say('hello')))
    .onRequest('_test/first', () => heard.push('first'))
    .onNotification('_test/second', () => void heard.push('second'))
    .onRequest('_test/third', () => heard.push('third'));
  const { near, served, answers } = sendAtOnce(built, [
    initialize,
    { jsonrpc: '2.0', id: 1, method: '_test/first' },
    { jsonrpc: '2.0', method: '_test/second' },
    { jsonrpc: '2.0', id: 2, method: '_test/third' },
    { jsonrpc: '2.0', id: 3, method: 'session/new', params: { cwd: CWD, mcpServers: [] } },
    { jsonrpc: '2.0', id: 4, method: '_test/unknown' },
    { jsonrpc: '2.0', id: 5, method: 'initialize', params: { protocolVersion: 1 } },
  ]);
  await until(() => answers().length === 6);
  expect(answers()[0]?.id).toBe(0);
  expect(heard).toEqual(['first', 'second', 'third']);
  expect(Object.fromEntries(answers().map(({ id, error }) => [id, error?.code]))).toEqual({
    0: undefined,
    1: undefined,
    2: undefined,
    3: undefined,
    4: -32601,
    5: -32600,
  });
  await near.close();
  await served;
});

it('reports a notification that waited and cannot be read, as it does for any other', async () => {
  const { built, diagnostics } = testAgent();
  built.onPrompt(async () => 'end_turn');
  const { near, served } = sendAtOnce(built, [
    initialize,
    { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 5 } },
  ]);
  await until(() => diagnostics.length > 0);
  expect(diagnostics).toMatchObject([{ kind: 'invalid_message', message: expect.stringContaining('sessionId') }]);
  await near.close();
  await served;
});

it('ends at once for a client that leaves when initialize is answered', async () => {
  const { built, diagnostics } = testAgent();
  built.onPrompt(async () => 'end_turn');
  const { near, served, answers } = sendAtOnce(built, [initialize]);
  await until(() => answers().length === 1);
  await near.close();
  expect(await served).toMatchObject({ kind: expect.any(String) });
  expect(diagnostics).toEqual([]);
});

it('calls every handler of a notification of the author, also of one that waited behind initialize', async () => {
  const { built } = testAgent();
  const heard: string[] = [];
  built
    .onPrompt(async () => 'end_turn')
    .onNotification('_test/news', () => void heard.push('first'))
    .onNotification('_test/news', () => void heard.push('second'));
  const news = { jsonrpc: '2.0', method: '_test/news' };
  const { near, served } = sendAtOnce(built, [initialize, news]);
  await until(() => heard.length === 2);
  void near.send(news as Message);
  await until(() => heard.length === 4);
  expect(heard).toEqual(['first', 'second', 'first', 'second']);
  await near.close();
  await served;
});

it('says that the agent must be restarted when a part of its program is gone', async () => {
  const { built, diagnostics } = testAgent();
  const part: string = './a-part-that-an-update-removed.ts';
  built.onPrompt(async () => void (await import(part)));
  await using client = connectRawClient(built);
  await client.initialize();
  const { sessionId } = await client.newSession();
  await expect(client.prompt(sessionId, 'hello')).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('restart the agent'),
    data: { reason: 'program_changed' },
  });
  expect(diagnostics).toMatchObject([{ kind: 'turn_failed', method: 'session/prompt', direction: 'in', sessionId }]);
});
