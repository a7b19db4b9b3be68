import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { type Connection, createConnection, type Diagnostic, type Transport } from './index.ts';

const TEXT = 'x'.repeat(1000);
const LIMIT = 50_000;

/** A connection that answers `text` with a thousand characters, and a peer that can stop reading. */
function open(highWaterMessages = 4): {
  connection: Connection;
  far: Transport;
  answers: unknown[];
  told: Diagnostic[];
} {
  const [near, far] = createMemoryPair({ highWaterMessages });
  const told: Diagnostic[] = [];
  const connection = createConnection(near, {
    limits: { maxUnsentAnswerBytes: LIMIT },
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const answers: unknown[] = [];
  far.onMessage((value) => answers.push(value));
  return { connection, far, answers, told };
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function quiet(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await new Promise((resolve) => setImmediate(resolve));
}

function ask(far: Transport, from: number, to: number): void {
  for (let id = from; id < to; id += 1) void far.send({ jsonrpc: '2.0', id, method: 'text' });
}

describe('a peer that does not read its answers', () => {
  it('is not read from until it reads, and then gets each answer, in order', async () => {
    const { connection, far, answers } = open();
    let calls = 0;
    connection.onRequest('text', () => {
      calls += 1;
      return TEXT;
    });
    far.pause();
    ask(far, 0, 500);
    await quiet();
    expect(calls).toBeGreaterThan(LIMIT / TEXT.length / 2);
    expect(calls).toBeLessThan((2 * LIMIT) / TEXT.length);
    far.resume();
    await waitFor(() => answers.length === 500);
    expect(answers).toEqual(Array.from({ length: 500 }, (_, id) => ({ jsonrpc: '2.0', id, result: TEXT })));
  });

  it('is refused further answers where we wait for an answer ourselves, and must read', async () => {
    const { connection, far, answers, told } = open();
    connection.onRequest('text', () => TEXT);
    far.pause();
    const ours = connection.request('question');
    ask(far, 0, 200);
    void far.send({ jsonrpc: '2.0', id: 1, result: 'answered' });
    expect(await ours).toBe('answered');
    far.resume();
    await waitFor(() => answers.length === 201);
    const refused = answers.filter((answer) => (answer as { error?: unknown }).error !== undefined);
    expect(refused.length).toBeGreaterThan(100);
    expect(told[0]).toMatchObject({ kind: 'overloaded', direction: 'in', method: 'text', id: expect.any(Number) });
  });

  it('is left when it goes on asking all the same', async () => {
    const { connection, far } = open();
    connection.onRequest('text', () => TEXT);
    far.pause();
    connection.request('question').catch(() => {});
    ask(far, 0, 11_000);
    expect(await connection.closed).toMatchObject({ kind: 'failed', error: { code: 'peer_not_reading' } });
  });

  it('keeps two connections going that ask each other without end', async () => {
    const [left, right] = createMemoryPair({ highWaterMessages: 4 });
    const limits = { maxUnsentAnswerBytes: 5000, maxRunningRequests: 8 };
    const connections = [createConnection(left, { limits }), createConnection(right, { limits })];
    for (const connection of connections) {
      connection.onRequest('text', async () => {
        for (let n = 0; n < 5; n += 1) await connection.notify('news', { TEXT });
        return TEXT;
      });
    }
    let answered = 0;
    const asking = connections.map(async (connection) => {
      for (let round = 0; round < 200; round += 1) {
        const asked = Array.from({ length: 4 }, () => connection.request('text'));
        for (const answer of await Promise.allSettled(asked)) if (answer.status === 'fulfilled') answered += 1;
      }
    });
    await Promise.all(asking);
    expect(answered).toBeGreaterThan(0);
    await Promise.all(connections.map((connection) => connection.close()));
  });
});
