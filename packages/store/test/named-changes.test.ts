import { expect, it } from 'vitest';
import type { Backend, SessionKey } from '../src/backend/operations.ts';
import { createSessionStore } from '../src/log/create-session-store.ts';
import { memoryOperations } from '../src/memory/memory-operations.ts';
import { take } from './cases/collect.ts';

/** A store on data that others change too, whose backend knows which sessions they changed. */
function openShared() {
  const operations = memoryOperations(1_000_000);
  const asked: (readonly SessionKey[])[] = [];
  let tell: (sessions?: readonly SessionKey[]) => void = () => {};
  const backend: Backend = {
    call: async (name, input) => {
      if (name === 'heads') asked.push((input as { readonly sessions: readonly SessionKey[] }).sessions);
      return operations[name](input, 1000);
    },
    watch: (onChange) => {
      tell = onChange;
      return () => {};
    },
    isShared: true,
    newOwner: () => 'owner',
    close: async () => {},
  };
  /** As another process would. */
  const appendElsewhere = (key: SessionKey): void => {
    const events = [{ kind: 'text', json: '1', bytes: 1, timeMs: undefined }];
    operations.append({ ...key, events, epoch: undefined, isInput: true, once: undefined, settle: undefined }, 1000);
  };
  return { store: createSessionStore(backend, {}), asked, appendElsewhere, tell: (keys?: SessionKey[]) => tell(keys) };
}

it('asks only for the sessions that a backend names, and of these only for those that somebody follows or watches', async () => {
  const { store, asked, appendElsewhere, tell } = openShared();
  await using _ = store;
  const log = store.log();
  for (const id of ['watched', 'followed', 'other']) await log.create({ id, cwd: '/proj' });
  const key = (sessionId: string): SessionKey => ({ principal: log.principal, sessionId });
  const heads: number[] = [];
  const stop = log.watch('watched', (head) => heads.push(head));
  const following = take(log.follow('followed'), 1);

  for (const id of ['watched', 'followed', 'other']) appendElsewhere(key(id));
  tell([key('other')]);
  expect(asked).toEqual([]);
  tell([key('followed'), key('other')]);
  expect(await following).toMatchObject([{ seq: 1 }]);
  expect(heads).toEqual([]);
  tell([key('watched')]);
  await expect.poll(() => heads).toEqual([1]);
  expect(asked).toEqual([[key('followed')], [key('watched')]]);

  appendElsewhere(key('watched'));
  tell();
  await expect.poll(() => heads).toEqual([1, 2]);
  stop();
});
