import { type LoggedEvent, StoreError } from '../../src/index.ts';
import type { MixReport } from '../mix-report.ts';
import { openStore } from '../open-store.ts';
import { pseudoRandom } from '../pseudo-random.ts';

/**
 * Does everything that can be done to some sessions, many things at once, and then reports what it was promised.
 * Sessions whose names begin with "kept" are never removed. Usage: mix-operations <place> <seed> <operations>
 */
const [place = '', seed = '1', operations = '100'] = process.argv.slice(2);
const LANES = 4;
const KEPT = ['kept-0', 'kept-1', 'kept-2'];
const PASSING = ['passing-0', 'passing-1'];

await using store = openStore(place, { pollIntervalMs: 5 });
const log = store.log();
const random = pseudoRandom(Number(seed));
const acks: MixReport['acks'][number][] = [];
const wins: string[] = [];
const faults: string[] = [];
let lastBody = 0;

for (const id of KEPT) await log.create({ id, cwd: '/proj' }).catch(refused);
const abort = new AbortController();
const followed = KEPT.map((id) => collectBodies(log.follow(id, { signal: abort.signal })));
await Promise.all(Array.from({ length: LANES }, doSome));
process.stdout.write(`${JSON.stringify({ acks, wins, faults } satisfies MixReport)}\n`);

// The others are done too once there is something to read; by then, every follower must have seen all of it.
for await (const _ of process.stdin) break;
const heads = await Promise.all(KEPT.map((id) => log.head(id)));
const bodies: unknown[][] = [];
for (const [index, follower] of followed.entries()) {
  while (follower.bodies.length < (heads[index] ?? 0)) await new Promise((resolve) => setTimeout(resolve, 5));
  bodies.push(follower.bodies);
}
abort.abort();
process.stdout.write(`${JSON.stringify(bodies)}\n`);

async function doSome(): Promise<void> {
  for (let done = 0; done < Number(operations) / LANES; done++) {
    const kept = choose(KEPT);
    const passing = choose(PASSING);
    const any = random() < 0.7 ? kept : passing;
    await choose<() => Promise<unknown>>([
      ...Array<() => Promise<unknown>>(8).fill(() => append(any)),
      () => log.create({ id: passing, cwd: '/proj', title: 'Passing' }),
      () => log.remove(passing),
      () => log.fork(kept, { id: passing }),
      () => log.update(any, { isArchived: random() < 0.5, title: `Title ${done}` }),
      () => log.list({ limit: 2, archived: 'include' }),
      () => collectBodies(log.read(any)).done,
      () => own(passing),
      () => answer(kept),
    ])().catch(refused);
  }
}

async function append(sessionId: string): Promise<void> {
  const body = `${seed}.${++lastBody}`;
  const once = random() < 0.2 ? { once: { key: `key-${Math.floor(random() * 30)}` } } : {};
  const { first, inbound } = await log.append(sessionId, [{ kind: 'mixed', body }], once);
  if (!inbound?.isRepeated) acks.push({ sessionId, body, seq: first });
}

async function own(sessionId: string): Promise<void> {
  const { epoch } = await log.acquire(sessionId, { leaseMs: 20 });
  await log.append(sessionId, [{ kind: 'owned', body: 'owned' }], { epoch });
  await log.renew(sessionId, { epoch, leaseMs: 20 });
  await log.release(sessionId, { epoch });
}

async function answer(sessionId: string): Promise<void> {
  const key = `answer-${Math.floor(random() * 10)}`;
  const body = `${seed}.${++lastBody}`;
  const { first, inbound } = await log.append(sessionId, [{ kind: 'answer', body }], { isInput: true, once: { key } });
  if (inbound?.isRepeated) return;
  acks.push({ sessionId, body, seq: first });
  wins.push(`${sessionId} ${key}`);
}

/** Most of what is tried here is refused, for good reasons; the file itself never is one. */
function refused(error: unknown): void {
  if (!(error instanceof StoreError) || error.code.startsWith('store_')) faults.push(String(error));
}

function collectBodies(events: AsyncIterable<LoggedEvent>): {
  readonly bodies: unknown[];
  readonly done: Promise<void>;
} {
  const bodies: unknown[] = [];
  const collect = async (): Promise<void> => {
    for await (const { seq, body } of events) {
      if (seq !== bodies.push(body)) faults.push(`Event ${seq} came as number ${bodies.length}.`);
    }
  };
  return { bodies, done: collect() };
}

function choose<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
