// Lets a gateway live for a while: sessions, viewers and agents come and go, connections are cut, agents crash. Memory and handles
// are sampled, and their slopes judged. On demand:
//   npm run soak [-- --minutes 10]
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '@parley/client';
import { startFaultProxy } from '@parley/testing/fault-proxy';
import { createRandom } from '@parley/testing/mutations';
import { startGateway } from '../test/gateway/support/hosted-gateway.ts';
import { WIRES } from '../test/gateway/support/wires.ts';

interface Sample {
  readonly minutes: number;
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly handles: number;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
/** What a flat curve may still rise, by the end, over what it was once everything had been used. */
const MAX_HEAP_MIB_A_MINUTE = 1;
const MAX_HANDLES_A_MINUTE = 2;
/** Sockets are kept for a minute. */
const WARM_MINUTES = 2;
const WORKERS = 8;

const random = createRandom(Number(process.env.PARLEY_SEED ?? 1));
const startedAt = performance.now();
const elapsed = (): number => (performance.now() - startedAt) / 60_000;
const samples: Sample[] = [];
let turns = 0;
let failures = 0;
const causes = new Map<string, number>();
const fail = (error: unknown): void => {
  failures += 1;
  const { name = '', message = '' } = error as Error;
  const cause = `${name}: ${message.replace(/[\da-f]{4,}[\w-]*|\d+/g, '#').slice(0, 120)}`;
  causes.set(cause, (causes.get(cause) ?? 0) + 1);
};

await using served = await startGateway({ firstPauseMs: 10, maxPauseMs: 100 });
await using proxy = await startFaultProxy({ port: served.port });
const cutting = setInterval(() => proxy.connections[random.below(proxy.connections.length + 1)]?.reset(), 500);
const sampling = setInterval(sample, Math.min(5000, (minutes * 60_000) / 20));
await Promise.all(Array.from({ length: WORKERS }, (_, index) => work(index)));
clearInterval(cutting);
clearInterval(sampling);
for (const [cause, count] of [...causes].sort(([, a], [, b]) => b - a).slice(0, 8)) console.log(`${count} x ${cause}`);
process.exitCode = judge() ? 0 : 1;

/** One person: comes, prompts, is watched by another, leaves, and deletes the session. */
async function work(index: number): Promise<void> {
  const dials = Object.values(WIRES);
  while (elapsed() < minutes) {
    const dial = dials[random.below(dials.length)] ?? WIRES.WebSocket;
    try {
      const options = { reconnect: true, permissions: { ask: () => ({ optionId: 'yes' }) } } as const;
      await using connection = await connect(dial(proxy.port), options);
      await using viewer = await connect(WIRES.WebSocket(served.port));
      const session = await connection.newSession({ cwd: '/' });
      await using _watching = await viewer.loadSession(session.id, { cwd: '/' });
      for (let turn = 0; turn < 5; turn += 1) {
        const isCrash = index === 0 && turn === 4;
        const text = isCrash ? 'crash' : turn === 2 ? `ask ${turn}` : `count ${20 + random.below(200)}`;
        await session.prompt(text).result.catch(fail);
        turns += 1;
        while (session.state !== 'idle') await sleep(10);
      }
      await connection.deleteSession(session.id);
    } catch (error) {
      // The connection was cut where nobody waits for its end, or the agent has crashed under another's session.
      fail(error);
      await sleep(50);
    }
  }
}

function sample(): void {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const [rssMiB, heapMiB] = [rss, heapUsed].map((bytes) => Math.round((bytes / 2 ** 20) * 10) / 10) as [number, number];
  samples.push({ minutes: elapsed(), rssMiB, heapMiB, handles: countHandles() });
  const { connections, turns: running } = served.server.state;
  const now = `${elapsed().toFixed(1)} min`;
  console.log(
    `${now}  rss ${rssMiB} MiB  heap ${heapMiB} MiB  handles ${countHandles()}  connections ${connections}  running ${running}  turns ${turns}  failed ${failures}`,
  );
}

function countHandles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return process.getActiveResourcesInfo().length;
  }
}

/** The beginning is left out: until then code is loaded and compiled, and sockets that are kept for later become more. */
function judge(): boolean {
  const steady = samples.filter((each) => each.minutes > Math.max(WARM_MINUTES, minutes / 3));
  if (steady.length < 5) {
    console.log(`Not judged: ${minutes} minutes are too few; ${turns} turns, ${failures} failed`);
    return true;
  }
  const heap = slope(steady, ({ heapMiB }) => heapMiB);
  const rss = slope(steady, ({ rssMiB }) => rssMiB);
  const handles = slope(steady, ({ handles: count }) => count);
  const isFlat = heap <= MAX_HEAP_MIB_A_MINUTE && handles <= MAX_HANDLES_A_MINUTE;
  const shown = [`heap ${heap.toFixed(2)}`, `rss ${rss.toFixed(2)} MiB`, `handles ${handles.toFixed(2)}`].join(', ');
  console.log(`${isFlat ? 'flat' : 'NOT FLAT'}: ${shown} a minute; ${turns} turns, ${failures} failed`);
  return isFlat;
}

/** By least squares, in units a minute. */
function slope(points: readonly Sample[], read: (sample: Sample) => number): number {
  const mean = (numbers: number[]): number =>
    numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
  const [x, y] = [mean(points.map((each) => each.minutes)), mean(points.map(read))];
  const over = points.reduce((sum, each) => sum + (each.minutes - x) * (read(each) - y), 0);
  const under = points.reduce((sum, each) => sum + (each.minutes - x) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
