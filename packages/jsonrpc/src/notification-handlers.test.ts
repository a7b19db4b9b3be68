import { createMemoryPair } from '@parley/transports/memory';
import { expect, it } from 'vitest';
import { createConnection, type Diagnostic } from './index.ts';

function open() {
  const [near, far] = createMemoryPair();
  const told: Diagnostic[] = [];
  const connection = createConnection(near, {
    onDiagnostic: (diagnostic) => told.push(diagnostic),
    sessionIdOf: (params) => (params as { session?: string } | undefined)?.session,
  });
  const peer = createConnection(far);
  const tell = async (params?: unknown): Promise<void> => {
    void peer.notify('news', params);
    // Wire order: what was sent before has been handled when this is answered.
    await peer.request('ping').catch(() => {});
  };
  return { connection, told, tell };
}

it('calls every handler of a notification, in the order they came, until each is removed', async () => {
  const { connection, tell } = open();
  const heard: string[] = [];
  const removeFirst = connection.onNotification('news', (params) => heard.push(`first ${JSON.stringify(params)}`));
  const removeSecond = connection.onNotification('news', (_, method) => heard.push(`second ${method}`));
  await tell({ n: 1 });
  removeFirst();
  removeFirst();
  await tell({ n: 2 });
  removeSecond();
  await tell({ n: 3 });
  expect(heard).toEqual(['first {"n":1}', 'second news', 'second news']);
});

it('takes a handler that was added twice away once', async () => {
  const { connection, tell } = open();
  let calls = 0;
  const handler = (): void => {
    calls += 1;
  };
  const remove = connection.onNotification('news', handler);
  connection.onNotification('news', handler);
  await tell();
  remove();
  await tell();
  expect(calls).toBe(3);
});

it('lets the others hear when one handler fails, and reports method and session', async () => {
  const { connection, told, tell } = open();
  const heard: string[] = [];
  connection.onNotification('news', () => {
    throw new Error('first');
  });
  connection.onNotification('news', () => Promise.reject(new Error('second')) as never);
  connection.onNotification('news', () => heard.push('third'));
  await tell({ session: 's1' });
  expect(heard).toEqual(['third']);
  const about = { kind: 'handler_failed', direction: 'in', method: 'news', sessionId: 's1' };
  expect(told).toMatchObject([
    { ...about, error: { message: 'first' } },
    { ...about, error: { message: 'second' } },
  ]);
  expect(told[0]).not.toHaveProperty('params');
});
