import type { NewEvent, SessionLog } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../src/event.ts';
import { type LogEntry, readEntry, writeEntry, writeEvent } from '../src/index.ts';
import { readEvents, readHistory, readInterruption, readProgress, trimTurns } from '../src/log/index.ts';

const says = (text: string): SessionEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: { type: 'text', text },
});
const entries = (...all: readonly LogEntry[]): NewEvent[] => all.map(writeEntry);
const turn = (turnId: string, ...events: readonly SessionEvent[]): NewEvent[] => [
  ...entries({ type: 'turn_started', turnId }),
  ...events.map(writeEvent),
  ...entries({ type: 'turn_ended', turnId, stopReason: 'end_turn' }),
];

async function logOf(...events: readonly NewEvent[]): Promise<{ log: SessionLog; sessionId: string }> {
  const log = memoryStore().log();
  await log.create({ id: 's', cwd: '/proj', events });
  return { log, sessionId: 's' };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('dropping the oldest turns of a session', () => {
  it('keeps what they left behind: title, plan, usage and the last summary, once each, and through several times', async () => {
    const plan = (content: string): SessionEvent => ({
      type: 'plan',
      entries: [{ content, priority: 'low', status: 'pending' }],
      meta: { note: content },
    });
    const place = await logOf(
      ...turn('1', says('a'), { type: 'info', title: 'First' }, plan('old')),
      ...turn(
        '2',
        { type: 'compaction', compactionId: 'c', status: 'in_progress' },
        {
          type: 'compaction_chunk',
          compactionId: 'c',
          content: { type: 'text', text: 'what was said' },
        },
        { type: 'compaction', compactionId: 'c', status: 'completed' },
      ),
      ...turn('3', { type: 'info', title: 'Second' }, plan('new'), { type: 'usage', used: 1, size: 2 }),
      ...turn('4', says('b')),
      ...turn('5', says('c')),
    );
    expect(await trimTurns({ ...place, keep: { turns: 4 } })).toEqual({ dropped: 1, kept: 4 });
    expect(await trimTurns({ ...place, keep: { turns: 2 } })).toEqual({ dropped: 2, kept: 2 });
    const { log, sessionId } = place;
    const head = await log.head(sessionId);
    const [first] = await all(log.read(sessionId));
    expect(first && readEntry(first)).toEqual({
      type: 'turns_dropped',
      turns: 3,
      state: [
        { type: 'info', title: 'Second' },
        {
          type: 'compaction',
          compactionId: 'c',
          status: 'completed',
          summary: [{ type: 'text', text: 'what was said' }],
        },
        { type: 'plan', entries: [{ content: 'new', priority: 'low', status: 'pending' }] },
        { type: 'usage', used: 1, size: 2 },
      ],
    });
    const shown = await all(readEvents({ log, sessionId, upTo: head, isRunning: false }));
    expect(shown[0]?.event).toMatchObject({ type: 'notice', title: '3 earlier turns are no longer kept' });
    expect((await all(readHistory({ log, sessionId, upTo: head }))).map(({ type }) => type)).toEqual([
      'info',
      'compaction',
      'plan',
      'usage',
      'message_chunk',
      'message_chunk',
    ]);
  });

  it('never drops the last turn, nor anything behind a prompt that waits', async () => {
    const waiting: LogEntry = { type: 'prompt', promptId: 'later', content: [], by: 'me' };
    const place = await logOf(
      ...turn('1'),
      ...entries({ type: 'turn_started', turnId: '2' }, waiting),
      ...entries({ type: 'turn_ended', turnId: '2', stopReason: 'end_turn', oldestInput: 4 }),
      ...entries({ type: 'turn_started', turnId: '3', oldestInput: 4 }),
      ...[says('working')].map(writeEvent),
    );
    expect(await trimTurns({ ...place, keep: { turns: 1 } })).toEqual({ dropped: 1, kept: 2 });
    expect(await trimTurns({ ...place, keep: { sinceMs: Date.now() + 1000 } })).toEqual({ dropped: 0, kept: 2 });
    const end = { ...place, head: await place.log.head(place.sessionId) };
    expect(await readProgress(end)).toMatchObject({ turn: { turnId: '3' }, inputs: [{ seq: 4, input: waiting }] });
    expect(await readInterruption(end, '3')).toMatchObject({ entries: [{ kind: 'turn_end' }] });
  });

  it('leaves everything as it is when what comes before it fails, and fails a cursor of what is gone', async () => {
    const place = await logOf(...turn('1', says('a')), ...turn('2', says('b')), ...turn('3', says('c')));
    const beforeTrim = async (): Promise<void> => {
      throw new Error('no room');
    };
    await expect(trimTurns({ ...place, keep: { turns: 1 }, beforeTrim })).rejects.toThrow('no room');
    expect(await trimTurns({ ...place, keep: { turns: 1 }, isDryRun: true })).toEqual({ dropped: 2, kept: 1 });
    expect(await place.log.get('s')).toMatchObject({ trimmedTo: 0 });
    await trimTurns({ ...place, keep: { turns: 1 } });
    const upTo = await place.log.head('s');
    const late = all(readEvents({ ...place, after: 2, upTo, isRunning: false }));
    await expect(late).rejects.toMatchObject({ code: 'cursor_expired' });
    expect(await all(readEvents({ ...place, after: 6, upTo, isRunning: false }))).toHaveLength(3);
  });

  it('is noticed by one who reads while it happens: the rest is told, with a notice between', async () => {
    const many = Array.from({ length: 600 }, (_, index) => says(`${index}`));
    const place = await logOf(...turn('1', ...many), ...turn('2', ...many), ...turn('3', says('last')));
    const upTo = await place.log.head('s');
    const told: SessionEvent[] = [];
    for await (const { event } of readEvents({ ...place, upTo, isRunning: false })) {
      if (told.push(event) === 1) await trimTurns({ ...place, keep: { turns: 1 } });
    }
    expect(told.filter(({ type }) => type === 'notice')).toHaveLength(1);
    expect(told.at(-2)).toEqual(says('last'));
  });
});
