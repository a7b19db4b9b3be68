import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { needs, PROC } from '@parley/testing/needs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProcessMoment, pickStartedSince, readMoment } from './process-starts.ts';

describe('the processes that may have been started since a moment', () => {
  it('have those that were, and leave out those that ran before', needs(PROC), async () => {
    const moment = readMoment();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const found = pickStartedSince(moment, readdirSync('/proc').map(Number).filter(Number.isInteger));
    child.kill();
    await once(child, 'exit');
    expect(found).toContain(child.pid);
    expect(found).not.toContain(process.pid);
    expect(found).not.toContain(1);
  });

  it('are all that run when the moment is not known', () => {
    expect(pickStartedSince(undefined, [1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('are all that run when the system counts no starts', () => {
    const moment = { lastId: 2, started: 9, running: 1, highestId: 4096 };
    expect(pickStartedSince(moment, [1, 2, 3], { ...moment, lastId: 3 })).toEqual([1, 2, 3]);
  });

  it('are never fewer than were started, however often the ids begin again', () => {
    const step = fc.record({ starts: fc.integer({ min: 1, max: 400 }), endsEach: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 6 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        (before, after) => {
          const machine = new Machine(1000);
          for (const each of before) machine.live(each);
          const old = new Set(machine.running);
          const moment = machine.moment();
          for (const each of after) machine.live(each);
          const young = machine.running.filter((process) => !old.has(process)).map(({ id }) => id);
          const ids = machine.running.map(({ id }) => id);
          expect(pickStartedSince(moment, ids, machine.moment())).toEqual(expect.arrayContaining(young));
        },
      ),
    );
  });
});

/** Gives out ids as Linux does: the next one that is free, around a circle, the first 300 only once. */
class Machine {
  running: { readonly id: number }[] = [];
  readonly #highestId: number;
  #lastId = 1;
  #started = 1;

  constructor(highestId: number) {
    this.#highestId = highestId;
  }

  moment(): ProcessMoment {
    const { length: running } = this.running;
    return { lastId: this.#lastId, started: this.#started, running: Math.max(1, running), highestId: this.#highestId };
  }

  /** Starts some processes, of which only every `endsEach`th goes on. */
  live({ starts, endsEach }: { readonly starts: number; readonly endsEach: number }): void {
    for (let count = 0; count < starts; count += 1) {
      const id = this.#nextId();
      this.#started += 1;
      if (count % endsEach === 0 && this.running.length < 200) this.running.push({ id });
    }
    this.running = this.running.filter((_, index) => index % 7 !== 0);
  }

  #nextId(): number {
    const isUsed = (id: number) => this.running.some((process) => process.id === id);
    do this.#lastId = this.#lastId + 1 >= this.#highestId ? 300 : this.#lastId + 1;
    while (isUsed(this.#lastId));
    return this.#lastId;
  }
}
