import type { SessionLog } from '@parley/store';

/** What both stores are measured with, so that their figures can be compared. */
export const SESSIONS = 64;
export const LONG_SESSION = 100_000;
const DURABLE_EVENTS = 20_000;

export const EVENT = {
  kind: 'update',
  body: {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'lorem ipsum dolor sit amet '.repeat(5) },
  },
};

/** All sessions append one event at a time, each waiting until it is durable: events a second, and how long the slow ones took. */
export async function appendDurably(
  log: SessionLog,
  ids: readonly string[],
): Promise<{ readonly eventsPerSecond: number; readonly p99Ms: number }> {
  const latencies: number[] = [];
  const seconds = await time(() =>
    Promise.all(
      ids.map(async (id) => {
        for (let count = 0; count < DURABLE_EVENTS / ids.length; count++) {
          const start = performance.now();
          await log.append(id, [EVENT]);
          latencies.push(performance.now() - start);
        }
      }),
    ),
  );
  return { eventsPerSecond: latencies.length / seconds, p99Ms: quantile(latencies, 0.99) };
}

/** A session with so many events that reading it takes a while. */
export async function createLongSession(log: SessionLog): Promise<void> {
  await log.create({ id: 'long', cwd: '/proj' });
  for (let count = 0; count < LONG_SESSION; count += 1000) await log.append('long', Array(1000).fill(EVENT));
}

/** Reads that session: events a second. */
export async function replayRate(log: SessionLog): Promise<number> {
  let count = 0;
  const seconds = await time(async () => {
    for await (const _ of log.read('long')) count++;
  });
  return count / seconds;
}

export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;
}

/** In seconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
