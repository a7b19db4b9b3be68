import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerEvent, readEvents } from './read-events.ts';

/** The events of a text whose bytes arrive cut at these places. */
async function decode(text: string, cuts: readonly number[] = [], maxEventBytes?: number): Promise<AnswerEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
  const events: AnswerEvent[] = [];
  for await (const arrived of readEvents(async () => chunks.shift(), maxEventBytes)) events.push(...arrived);
  return events.map(({ type, data }) => ({ type, data }));
}

describe('the events of an answer', () => {
  it('reads names, joins lines of data and skips comments', async () => {
    expect(await decode(': hi\nevent: ping\ndata: a\ndata: b\nid: 7\n\ndata:c\n\n')).toEqual([
      { type: 'ping', data: 'a\nb' },
      { type: 'message', data: 'c' },
    ]);
  });

  it('keeps an empty line of data and drops an event without data', async () => {
    expect(await decode('data\n\nevent: x\n\ndata: \ndata: y\n\n')).toEqual([
      { type: 'message', data: '' },
      { type: 'message', data: '\ny' },
    ]);
  });

  it('removes one space after the colon, not more', async () => {
    expect(await decode('data:  two\n\n')).toEqual([{ type: 'message', data: ' two' }]);
  });

  it('skips a byte order mark', async () => {
    expect(await decode('\ufeffdata: a\n\n')).toEqual([{ type: 'message', data: 'a' }]);
  });

  it('yields a last event whose empty line is missing', async () => {
    expect(await decode('data: a\n\ndata: b')).toEqual([
      { type: 'message', data: 'a' },
      { type: 'message', data: 'b' },
    ]);
  });

  it('refuses an event beyond its limit, whether it ends or not', async () => {
    for (const text of ['data: 01234567890123', 'data: 012345\ndata: 678901\n', 'data: 0123456789012\n\n']) {
      await expect(decode(text, [], 10)).rejects.toThrow(RangeError);
    }
  });

  it('reads the same events however the text is cut and whatever ends its lines', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
    const event = fc.record({ name: fc.constantFrom('message', 'delta'), data: fc.array(line, { minLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (events, newline, cuts) => {
          const text = events
            .map(({ name, data }) => [`event: ${name}`, ...data.map((part) => `data: ${part}`), '', ''].join(newline))
            .join('');
          expect(await decode(text, cuts)).toEqual(
            events.map(({ name, data }) => ({ type: name, data: data.join('\n') })),
          );
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });

  it('never throws on noise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.array(fc.nat()), async (text, cuts) => {
        const events = await decode(text, cuts);
        expect(events.every(({ data }) => typeof data === 'string')).toBe(true);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
