import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseDecoder, type SseEvent } from './sse-decoder.ts';

function decode(text: string, cuts: readonly number[] = []): readonly SseEvent[] {
  const decoder = createSseDecoder();
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const events: SseEvent[] = [];
  let start = 0;
  for (const place of [...places, text.length]) {
    events.push(...decoder.push(text.slice(start, place)));
    start = place;
  }
  return [...events, ...decoder.end()];
}

describe('the event decoder', () => {
  it('reads names, joins lines of data and skips comments', () => {
    expect(decode(': hi\nevent: ping\ndata: a\ndata: b\nid: 7\n\ndata:c\n\n')).toEqual([
      { event: 'ping', data: 'a\nb' },
      { event: 'message', data: 'c' },
    ]);
  });

  it('keeps an empty line of data and drops an event without data', () => {
    expect(decode('data\n\nevent: x\n\ndata: \ndata: y\n\n')).toEqual([
      { event: 'message', data: '' },
      { event: 'message', data: '\ny' },
    ]);
  });

  it('removes one space after the colon, not more', () => {
    expect(decode('data:  two\n\n')).toEqual([{ event: 'message', data: ' two' }]);
  });

  it('skips a byte order mark', () => {
    expect(decode('\ufeffdata: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  });

  it('yields a last event whose empty line is missing', () => {
    expect(decode('data: a\n\ndata: b')).toEqual([
      { event: 'message', data: 'a' },
      { event: 'message', data: 'b' },
    ]);
  });

  it('refuses an event beyond its limit', () => {
    const decoder = createSseDecoder({ maxEventChars: 10 });
    expect(() => decoder.push('data: 01234567890123')).toThrow(RangeError);
    const lines = createSseDecoder({ maxEventChars: 10 });
    expect(() => lines.push('data: 012345\ndata: 678901\n')).toThrow(RangeError);
  });

  it('reads the same events however the text is cut and whatever ends its lines', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
    const event = fc.record({ name: fc.constantFrom('message', 'delta'), data: fc.array(line, { minLength: 1 }) });
    fc.assert(
      fc.property(
        fc.array(event),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 20 }),
        (events, newline, cuts) => {
          const text = events
            .map(({ name, data }) => [`event: ${name}`, ...data.map((part) => `data: ${part}`), '', ''].join(newline))
            .join('');
          expect(decode(text, cuts)).toEqual(events.map(({ name, data }) => ({ event: name, data: data.join('\n') })));
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });

  it('never throws on noise', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat()), (text, cuts) => {
        const events = decode(text, cuts);
        return events.every(({ data }) => typeof data === 'string');
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
