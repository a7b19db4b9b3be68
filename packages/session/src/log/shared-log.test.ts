import type { SessionLog } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { type InputEntry, type LogEntry, type WaitingInput, writeEntry } from '../index.ts';
import { SharedLog } from './index.ts';

const ID = 'session';
const prompt = (promptId: string): InputEntry => ({ type: 'prompt', promptId, content: [], by: 'test' });

async function newSession(): Promise<SessionLog> {
  const log = memoryStore().log();
  await log.create({ id: ID, cwd: '/' });
  return log;
}

/** The session as one of several processes has it. What was asked of it is in `inputs`. */
async function open(log: SessionLog) {
  const record = await log.get(ID);
  if (!record) throw new Error('There is no session.');
  const inputs: WaitingInput[] = [];
  const written: LogEntry[] = [];
  const faults: unknown[] = [];
  const shared = new SharedLog({
    log,
    record,
    leaseMs: 15_000,
    onEntry: () => {},
    onWritten: (entry) => void written.push(entry),
    onInput: (waiting) => void inputs.push(waiting),
    onOwned: () => {},
    onInterruption: () => {},
    onLost: () => {},
    onFault: (_, error) => void faults.push(error),
  });
  const asked = (): readonly string[] =>
    inputs.map(({ input }) => (input.type === 'prompt' ? input.promptId : input.type));
  const start = (turnId: string): Promise<unknown> => {
    const oldestInput = shared.oldestInput(turnId) ?? 1;
    return shared.append([writeEntry({ type: 'turn_started', turnId, oldestInput })]);
  };
  const end = (turnId: string, oldestInput = shared.oldestInput(turnId) ?? 1): Promise<unknown> =>
    shared.append([writeEntry({ type: 'turn_ended', turnId, stopReason: 'end_turn', oldestInput })]);
  return { shared, asked, written, faults, start, end };
}

/** The process that owns the session is lost, and its lease with it. */
async function loseOwner(log: SessionLog): Promise<void> {
  const { epoch } = await log.acquire(ID, { owner: 'undertaker', takeOver: true });
  await log.release(ID, { epoch });
}

/** A log of which nothing is heard: what others write is found by looking alone. */
function deaf(log: SessionLog): SessionLog {
  return new Proxy(log, {
    get(target, name) {
      if (name === 'watch') return () => () => {};
      if (name === 'head') return () => new Promise<never>(() => {});
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('a log that several processes share', () => {
  it('keeps a prompt that came before the end of a turn was written, and after its writer had last looked', async () => {
    const log = await newSession();
    const owner = await open(deaf(log));
    await owner.shared.hold();
    await owner.start('first');
    const oldestInput = owner.shared.oldestInput('first');
    await (await open(log)).shared.submit(prompt('second'));
    await owner.end('first', oldestInput);
    await loseOwner(log);
    const next = await open(log);
    await next.shared.hold();
    expect(next.asked()).toEqual(['second']);
  });

  it('keeps what came in while a turn ran that nobody ended, however many owners are lost', async () => {
    const log = await newSession();
    const owner = await open(log);
    const epoch = await owner.shared.hold();
    await log.append(ID, [writeEntry({ type: 'turn_started', turnId: 'first' })], { epoch });
    await (await open(log)).shared.submit(prompt('second'));
    for (let lost = 0; lost < 3; lost++) {
      await loseOwner(log);
      const next = await open(log);
      await next.shared.hold();
      expect(next.asked()).toEqual(['second']);
    }
    const ends = [];
    for await (const { kind } of log.read(ID)) if (kind === 'turn_end') ends.push(kind);
    expect(ends).toHaveLength(1);
  });

  it('ends a turn whose process was lost, though prompts that waited for it were cancelled meanwhile', async () => {
    const log = await newSession();
    const owner = await open(log);
    await owner.shared.hold();
    await owner.start('first');
    const oldestInput = owner.shared.oldestInput('first');
    await owner.shared.submit(prompt('second'));
    await owner.end('second', Math.min(oldestInput ?? 1, 1));
    await loseOwner(log);
    const next = await open(log);
    expect(await next.shared.readProgress()).toMatchObject({ turn: { turnId: 'first' } });
    await next.shared.hold();
    expect(await next.shared.findPrompt('first')).toMatchObject({ end: { error: { code: -32603 } } });
  });

  it('knows what came in while it read what is going on', async () => {
    const log = await newSession();
    const first = await open(log);
    await first.shared.submit(prompt('a'));
    // One that opens a session does not know what is going on in it, and reads that when it is asked.
    const other = await open(
      new Proxy(log, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (name === 'read') {
            return async function* (...args: Parameters<SessionLog['read']>) {
              yield* log.read(...args);
              if (reads++ === 0) {
                await first.shared.submit(prompt('b'));
                await until(() => other.shared.shown === 2);
              }
            };
          }
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
    let reads = 0;
    other.shared.watch(true);
    const { inputs } = await other.shared.readProgress();
    expect(inputs.map(({ seq }) => seq)).toEqual([1, 2]);
    other.shared.watch(false);
  });

  it('reads later what stands before its own entries, where that could not be read at once', async () => {
    const log = await newSession();
    let isBroken = false;
    const owner = await open(
      new Proxy(deaf(log), {
        get(target, name) {
          if (name === 'read' && isBroken)
            return () => {
              isBroken = false;
              throw new Error('The disk is gone.');
            };
          return Reflect.get(target, name) as unknown;
        },
      }),
    );
    await owner.shared.hold();
    await owner.start('first');
    await (await open(log)).shared.submit(prompt('second'));
    isBroken = true;
    await owner.end('first');
    expect(owner.faults).toHaveLength(1);
    expect(owner.written.map(({ type }) => type)).toEqual(['turn_started', 'turn_ended']);
    await until(() => owner.asked().length > 0);
    expect(owner.asked()).toEqual(['second']);
    expect(owner.shared.shown).toBe(2);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
