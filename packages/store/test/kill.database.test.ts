import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { needs } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { openStore } from './open-store.ts';
import { sharedPlaces } from './places.ts';
import { pseudoRandom } from './pseudo-random.ts';
import { useProgram } from './use-program.ts';

/** More on demand: PARLEY_KILL_ROUNDS=500 npx vitest run packages/store/test/kill.database.test.ts */
const ROUNDS = Number(process.env.PARLEY_KILL_ROUNDS ?? 60);
const LANES = 2;
const SESSIONS = 6;
const LONGEST_RUN_MS = 120;
const TIMEOUT_MS = Math.max(60_000, ROUNDS * 1000);

interface Lane {
  readonly place: string;
  readonly lane: number;
  readonly rounds: number;
}

interface Ack {
  readonly sessionId: string;
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

interface Run {
  readonly run: string;
  /** The first report from which the time until the kill is counted. */
  readonly from: 'start' | 'open' | 'ack';
  readonly forMs: number;
}

interface Round {
  readonly acks: readonly Ack[];
  /** The head each session was opened with. */
  readonly heads: ReadonlyMap<string, number>;
}

describe.each(sharedPlaces())('the session log in $name under kill -9', ({ need, newPlace }) => {
  const programFile = useProgram('append-until-killed');

  it(`loses no acknowledged event, leaves no gap and repeats nothing in ${ROUNDS / 2} rounds`, {
    ...needs(need),
    timeout: TIMEOUT_MS,
  }, async () => {
    const rounds = Math.ceil(ROUNDS / LANES / 2);
    const places = await Promise.all(Array.from({ length: LANES }, newPlace));
    const acks = await Promise.all(places.map((place, lane) => runLane({ place, lane, rounds })));
    for (const [index, place] of places.entries()) expect(await verify(place, acks[index] ?? [])).toBeGreaterThan(0);
  });

  it(`nor when processes that share it are killed, in ${ROUNDS / 2} rounds`, {
    ...needs(need),
    timeout: TIMEOUT_MS,
  }, async () => {
    const rounds = Math.ceil(ROUNDS / LANES / 2);
    const place = await newPlace();
    const acks = await Promise.all([LANES, LANES + 1].map((lane) => runLane({ place, lane, rounds })));
    expect(await verify(place, acks.flat())).toBeGreaterThan(0);
  });

  /** Kills one process after another on the same store. Returns what they were promised. */
  async function runLane({ place, lane, rounds }: Lane): Promise<Ack[]> {
    const random = pseudoRandom(lane + 1);
    const acks: Ack[] = [];
    for (let round = 0; round < rounds; round++) {
      // Every fifth process, and the first, is killed some time after its start: while it opens or creates the file.
      // The next one is killed some time after its first acknowledgement, which others may not reach on a busy machine.
      const from = (['start', 'ack'] as const)[round % 5] ?? 'open';
      const result = await runUntilKilled(place, { run: `${lane}.${round}`, from, forMs: random() * LONGEST_RUN_MS });
      for (const [sessionId, head] of result.heads) {
        const lastAcked = acks.findLast((ack) => ack.sessionId === sessionId)?.last ?? 0;
        expect(head, `${sessionId} at the start of round ${round}`).toBeGreaterThanOrEqual(lastAcked);
      }
      acks.push(...result.acks);
    }
    return acks;
  }

  function runUntilKilled(place: string, { run, from, forMs }: Run): Promise<Round> {
    const child = spawn(process.execPath, [programFile(), place, run, String(SESSIONS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acks: Ack[] = [];
    const heads = new Map<string, number>();
    let timer: NodeJS.Timeout | undefined;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const [word, sessionId = '', ...rest] = line.split(' ');
      if (word === from) timer ??= setTimeout(() => child.kill('SIGKILL'), forMs);
      if (word === 'open') heads.set(sessionId, Number(rest[0]));
      if (word === 'ack') acks.push({ sessionId, key: rest[0] ?? '', first: Number(rest[1]), last: Number(rest[2]) });
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        if (signal === 'SIGKILL') resolve({ acks, heads });
        else reject(new Error(`The program ended by itself, with code ${code}.`));
      });
    });
  }
});

async function verify(place: string, acks: readonly Ack[]): Promise<number> {
  await using store = openStore(place);
  const log = store.log();
  let found = 0;
  for (const { id, head } of (await log.list()).sessions) {
    const bodies: Body[] = [];
    for await (const { seq, body } of log.read(id)) {
      expect(seq).toBe(bodies.length + 1);
      bodies.push(body as Body);
    }
    expect(bodies).toHaveLength(head);

    for (const { key, first, last } of acks.filter(({ sessionId }) => sessionId === id)) {
      expect(bodies.slice(first - 1, last).map((body) => [body.key, body.index])).toEqual(
        Array.from({ length: last - first + 1 }, (_, index) => [key, index]),
      );
      found += last - first + 1;
    }
    // Also what was not acknowledged is there once, as a whole batch and with its key, or not at all.
    const keys = bodies.filter(({ index }) => index === 0).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(bodies.length).toBe(bodies.filter(({ index }) => index === 0).reduce((sum, { size }) => sum + size, 0));
    // On a busy machine all processes may be killed before they append to one of the sessions.
    for (const key of keys.length === 0 ? [] : [keys.at(0), keys.at(-1)])
      expect(await log.inbound(id, key ?? '')).toMatchObject({ key });
  }
  expect(found).toBe(acks.reduce((sum, { first, last }) => sum + last - first + 1, 0));
  return found;
}

interface Body {
  readonly key: string;
  readonly index: number;
  readonly size: number;
}
