import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import { describe, expect, it } from 'vitest';
import { collect, range } from './cases/collect.ts';
import { openStore } from './open-store.ts';
import { usePostgres } from './places.ts';
import { useProgram } from './use-program.ts';

/** More on demand: PARLEY_ROUNDS=500 npx vitest run packages/store/test/split-brain.database.test.ts */
const ROUNDS = Number(process.env.PARLEY_ROUNDS ?? 100);
const SESSIONS = 4;
const LEASE_MS = 120;

interface Body {
  readonly by: string;
  readonly epoch: number;
}

describe('owners that are stopped and go on later', needs(POSTGRES), () => {
  const server = usePostgres();
  const programFile = useProgram('own-and-append');

  it(
    `append nothing once another owns the session, in ${ROUNDS} rounds`,
    async () => {
      const place = await server().newDatabase();
      const events = new EventEmitter();
      const ownerOf = new Map<string, string>();
      const children = new Map(
        ['a', 'b', 'c'].map((name) => {
          const words = [programFile(), place, name, String(SESSIONS), String(LEASE_MS)];
          const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
          createInterface({ input: child.stdout }).on('line', (line) => {
            const [word, id = ''] = line.split(' ');
            if (word === 'own') ownerOf.set(id, name);
            events.emit(`${word} ${id}`, name);
          });
          return [name, child] as const;
        }),
      );
      await Promise.all(
        range(0, SESSIONS - 1).map((n) => ownerOf.has(`session-${n}`) || once(events, `own session-${n}`)),
      );

      for (const round of range(1, ROUNDS)) {
        const id = `session-${round % SESSIONS}`;
        const stopped = ownerOf.get(id) ?? '';
        const next = once(events, `own ${id}`);
        children.get(stopped)?.kill('SIGSTOP');
        expect((await next)[0], `the next owner of ${id}`).not.toBe(stopped);
        children.get(stopped)?.kill('SIGCONT');
        // Long enough for it to try to write as the owner that it was.
        await wait(40);
      }
      await Promise.all([...children.values()].map(end));

      await using store = openStore(place);
      let owners = 0;
      for (const n of range(0, SESSIONS - 1)) {
        const written = await collect(store.log().read(`session-${n}`));
        const stale = written.filter(({ epoch, body }, index) => {
          const before = written[index - 1]?.epoch ?? 0;
          return epoch < before || (body as Body).epoch !== epoch;
        });
        expect(stale).toEqual([]);
        const names = new Map<number, Set<string>>();
        for (const { epoch, body } of written) names.set(epoch, (names.get(epoch) ?? new Set()).add((body as Body).by));
        for (const each of names.values()) expect(each.size).toBe(1);
        owners += names.size;
      }
      expect(owners).toBeGreaterThanOrEqual(ROUNDS / 2);
    },
    120_000 + ROUNDS * 5000,
  );
});

async function end(child: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin.write('end\n');
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
}
