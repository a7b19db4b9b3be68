import { type LoggedEvent, type NewEvent, type SessionLog, type SessionStore, StoreError } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, CWD, connectRawClient, errorOf, type RawClient, testAgent, until } from './raw-client.ts';

const ID = 'sess';
const SETUP = { sessionId: ID, cwd: CWD, mcpServers: [] };

function said(text: string): NewEvent {
  return { kind: 'message_chunk', body: { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text } } };
}

/** A turn that a process has begun and did not live to end. */
const OPEN_TURN: readonly NewEvent[] = [
  { kind: 'turn_start', body: { turnId: 'lost' } },
  { kind: 'tool_call', body: { type: 'tool_call', toolCallId: 'done', title: 'Done', status: 'completed' } },
  { kind: 'tool_call', body: { type: 'tool_call', toolCallId: 'open', title: 'Open', status: 'in_progress' } },
  { kind: 'compaction', body: { type: 'compaction', compactionId: 'c', status: 'in_progress' } },
  { kind: 'plan', body: { type: 'plan', entries: [{ content: 'Go', priority: 'low', status: 'in_progress' }] } },
];

async function storeWith(events: readonly NewEvent[]): Promise<SessionStore> {
  const store = memoryStore({ isShared: true });
  await store.log().create({ id: ID, cwd: CWD });
  await store.log().append(ID, events);
  return store;
}

async function readLog(store: SessionStore): Promise<LoggedEvent[]> {
  const entries: LoggedEvent[] = [];
  for await (const entry of store.log().read(ID)) entries.push(entry);
  return entries;
}

/** The same store, with appends that fail while they are told to. */
function failing(inner: SessionStore): { readonly store: SessionStore; readonly fault: { error?: Error } } {
  const fault: { error?: Error } = {};
  const wrap = (log: SessionLog): SessionLog => ({
    ...log,
    append: (...args) => (fault.error ? Promise.reject(fault.error) : log.append(...args)),
  });
  return { store: { ...inner, log: (principal) => wrap(inner.log(principal)) }, fault };
}

async function connect(store: SessionStore) {
  const { built, diagnostics } = testAgent({ store });
  const client = connectRawClient(
    built.onPrompt(async (turn) => {
      if (turn.text !== 'leave open') return void turn.say('fine');
      turn.toolCall({ id: 'left', title: 'Left' }).start();
      await turn.session.update({ type: 'usage', used: 1, size: 2 });
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    }),
  );
  await client.initialize(ALL_CAPABILITIES);
  return { client, diagnostics };
}

/** The last that the client heard of each thing that a turn can leave open. */
function ends(client: RawClient): unknown {
  const last = (name: string) => client.updates().findLast((update) => JSON.stringify(update).includes(name));
  return { done: last('"done"'), open: last('"open"'), compaction: last('"c"'), plan: last('"Go"') };
}

const ENDED = {
  done: { status: 'completed' },
  open: { status: 'failed' },
  compaction: { status: 'failed' },
  plan: { entries: [{ content: 'Go', status: 'pending' }] },
};

describe('a turn that a lost process left open', () => {
  it.each([0, 30, 31, 32, 2000])('is ended once in the log, though %d events came after its start', async (count) => {
    const more = Array.from({ length: count }, (_, index) => said(`${index}`));
    const store = await storeWith([said('before'), ...OPEN_TURN, ...more]);
    const { client } = await connect(store);
    await client.request('session/load', SETUP);
    expect(ends(client)).toMatchObject(ENDED);
    const entries = await readLog(store);
    expect(entries.slice(OPEN_TURN.length + 1 + count).map(({ kind }) => kind)).toEqual([
      'tool_call',
      'compaction',
      'plan',
      'turn_end',
    ]);
    expect(entries.at(-1)?.body).toMatchObject({ turnId: 'lost', error: { code: -32603 } });
    client.received.length = 0;
    await client.request('session/load', SETUP);
    expect(ends(client)).toMatchObject(ENDED);
    expect(await readLog(store)).toEqual(entries);
    await client[Symbol.asyncDispose]();
  });

  it('is left alone where its end is in the log', async () => {
    const store = await storeWith([...OPEN_TURN, { kind: 'turn_end', body: { turnId: 'lost' } }, said('after')]);
    const entries = await readLog(store);
    const { client } = await connect(store);
    await client.request('session/load', SETUP);
    await client.request('session/close', { sessionId: ID });
    expect(await readLog(store)).toEqual(entries);
    await client[Symbol.asyncDispose]();
  });

  it('is shown as ended where the log cannot be written, and ended in it as soon as it can', async () => {
    const { store, fault } = failing(await storeWith(OPEN_TURN));
    fault.error = new StoreError('store_readonly', 'The disk is read-only.');
    const { client, diagnostics } = await connect(store);
    await client.request('session/load', SETUP);
    expect(ends(client)).toMatchObject(ENDED);
    expect(diagnostics).toMatchObject([{ kind: 'log_failed', sessionId: ID, error: fault.error }]);
    expect(await readLog(store)).toHaveLength(OPEN_TURN.length);
    delete fault.error;
    await client.prompt(ID, 'go on');
    expect((await readLog(store)).filter(({ kind }) => kind === 'turn_end')).toHaveLength(2);
    await client[Symbol.asyncDispose]();
  });

  it('is ended when the same process could not write its end, for all who watch', async () => {
    const { store, fault } = failing(await storeWith([said('before')]));
    const { client } = await connect(store);
    await client.request('session/load', SETUP);
    const answer = errorOf(client.prompt(ID, 'leave open'));
    await until(() => client.updates().some(({ sessionUpdate }) => sessionUpdate === 'usage_update'));
    fault.error = new StoreError('store_full', 'The disk is full.');
    client.notify('session/cancel', { sessionId: ID });
    expect(await answer.catch(() => 'cancelled')).toBe('cancelled');
    delete fault.error;
    expect(await client.prompt(ID, 'go on')).toEqual({ stopReason: 'end_turn' });
    const calls = client.updates().filter((update) => 'toolCallId' in update);
    expect(calls.at(-1)).toMatchObject({ toolCallId: 'left', status: 'failed' });
    expect((await readLog(store)).filter(({ kind }) => kind === 'turn_end')).toHaveLength(2);
    await client[Symbol.asyncDispose]();
  });
});
