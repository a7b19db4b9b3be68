import { describe, expect, it } from 'vitest';
import type { OperationName } from '../backend/operations.ts';
import { CallQueue, type QueuedCall } from './call-queue.ts';

const call = (name: OperationName, sessionId = ''): QueuedCall =>
  ({
    name,
    input: { principal: 'me', sessionId, events: [] },
    resolve: () => {},
    reject: () => {},
  }) as unknown as QueuedCall;

const names = (calls: readonly QueuedCall[] | undefined): readonly string[] | undefined =>
  calls?.map(({ name }) => name);

describe('the queue of calls to a database', () => {
  it('lets a list wait for what was written before it alone, however much is written meanwhile', () => {
    const queue = new CallQueue();
    queue.add(call('append', 'a'));
    const first = queue.take() ?? [];
    queue.add(call('list'));
    queue.add(call('append', 'b'));
    const second = queue.take() ?? [];
    expect(names(second)).toEqual(['append']);
    expect(queue.take()).toBeUndefined();
    queue.done(first);
    expect(names(queue.take())).toEqual(['list']);
    queue.done(second);
    expect(queue.isEmpty).toBe(true);
  });

  it.each(['create', 'fork', 'remove', 'update'] as const)(
    'lets a %s wait for the lists that were asked for before',
    (name) => {
      const queue = new CallQueue();
      queue.add(call('list'));
      queue.add(call(name, 'a'));
      queue.add(call('append', 'b'));
      const list = queue.take() ?? [];
      expect(names(list)).toEqual(['list']);
      expect(names(queue.take())).toEqual(['append']);
      expect(queue.take()).toBeUndefined();
      queue.done(list);
      expect(names(queue.take())).toEqual([name]);
    },
  );
});
