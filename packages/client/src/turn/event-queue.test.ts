import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';
import { mergeTurnEvents, type TurnEvent } from './turn-event.ts';

const create = (maxEvents = 10): EventQueue<TurnEvent> =>
  new EventQueue<TurnEvent>({ maxEvents, merge: mergeTurnEvents, gap: (skipped) => ({ type: 'gap', skipped }) });
const text = (value: string, messageId?: string): TurnEvent => ({
  type: 'text',
  text: value,
  ...(messageId && { messageId }),
});
const mode = (modeId: string): TurnEvent => ({ type: 'mode', modeId });

async function readAll(queue: EventQueue<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

describe('the events of a turn', () => {
  it('come one by one to a reader who is there', async () => {
    const queue = create();
    const reading = readAll(queue);
    for (const piece of ['a', 'b', 'c']) {
      queue.push(text(piece));
      await new Promise((resolve) => setTimeout(resolve));
    }
    queue.end();
    expect(await reading).toEqual([text('a'), text('b'), text('c')]);
  });

  it('wait for a late reader, neighbouring text joined', async () => {
    const queue = create();
    for (const event of [
      text('a'),
      text('b'),
      text('c', 'm1'),
      mode('x'),
      text('d'),
      { type: 'thought', text: '1' } as const,
      { type: 'thought', text: '2' } as const,
    ])
      queue.push(event);
    queue.end();
    queue.push(text('after the end'));
    expect(await readAll(queue)).toEqual([
      text('ab'),
      text('c', 'm1'),
      mode('x'),
      text('d'),
      { type: 'thought', text: '12' },
    ]);
  });

  it('beyond the limit are replaced by a gap that says how many', async () => {
    const queue = create(3);
    for (let index = 0; index < 10; index += 1) queue.push(mode(String(index)));
    queue.end();
    expect(await readAll(queue)).toEqual([mode('0'), mode('1'), mode('2'), { type: 'gap', skipped: 7 }]);
  });

  it('end with the error of the turn, after everything that came before it', async () => {
    const queue = create();
    queue.push(text('a'));
    queue.fail(new Error('gone'));
    const events: TurnEvent[] = [];
    await expect(async () => {
      for await (const event of queue) events.push(event);
    }).rejects.toThrow('gone');
    expect(events).toEqual([text('a')]);
  });

  it('can be read once', async () => {
    const queue = create();
    queue.end();
    await readAll(queue);
    await expect(readAll(queue)).rejects.toThrow(/once/);
  });
});
