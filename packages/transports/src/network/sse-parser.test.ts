import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSseComment, encodeSseEvent } from './sse-encoder.ts';
import { type SseEvent, type SseOversize, SseParser, type SseParserOptions } from './sse-parser.ts';

const encoder = new TextEncoder();

describe('SseParser', () => {
  it('reads each event with its type, and joins the lines of its data', () => {
    expect(parse('event: note\ndata: one\ndata:two\ndata:  three\n\ndata\n\n')).toEqual([
      { kind: 'event', type: 'note', data: 'one\ntwo\n three', bytes: 14 },
      { kind: 'event', type: 'message', data: '', bytes: 0 },
    ]);
  });

  it.each(['\n', '\r', '\r\n'])('ends lines at %j', (end) => {
    expect(texts(parse(`data: a${end}data: b${end}${end}data: c${end}${end}`))).toEqual(['a\nb', 'c']);
  });

  it('takes a carriage return and a line feed in two chunks for one line end', () => {
    expect(texts(parseChunks(['data: a\r', '\ndata: b\r', '\n\r', '\ndata: c\r\n\r\n'].map(encode)))).toEqual([
      'a\nb',
      'c',
    ]);
  });

  it('skips one byte order mark at the start, and no second', () => {
    expect(texts(parse('\uFEFFdata: a\n\n'))).toEqual(['a']);
    expect(texts(parse('\uFEFF\uFEFFdata: a\n\ndata: b\n\n'))).toEqual(['b']);
    expect(texts(parseChunks([[0xef], [0xbb], [0xbf], ...encode('data: a\n\n')].map((one) => bytesOf(one))))).toEqual([
      'a',
    ]);
  });

  it('passes over comments, unknown fields and events without data', () => {
    expect(texts(parse(': hello\n\nfoo: bar\n\nevent: x\n\nDATA: no\n\n:\ndata: yes\n\n'))).toEqual(['yes']);
  });

  it('drops an event that the stream ends in', () => {
    expect(texts(parse('data: whole\n\ndata: half\n'))).toEqual(['whole']);
  });

  it('knows the id of the last event it gave, not that of one which is not whole', () => {
    const parser = new SseParser();
    parser.push(encode('id: 1\ndata: a\n\nid: 2\ndata: b\n\ndata: c\n\nid: 3\ndata: half\n'));
    const ids: string[] = [];
    while (parser.next()) ids.push(parser.lastEventId);
    expect(ids).toEqual(['1', '2', '2']);
    parser.push(encode('\nid: a\0b\ndata: d\n\n'));
    expect(texts(drain(parser))).toEqual(['half', 'd']);
    expect(parser.lastEventId).toBe('3');
    parser.push(encode('id\n\n'));
    expect(parser.next()).toBeUndefined();
    expect(parser.lastEventId).toBe('');
  });

  it('counts the bytes of an event that is not whole yet', () => {
    const parser = new SseParser();
    parser.push(encode('data: abc\n\ndata: 12345\ndata: 67'));
    drain(parser);
    expect(parser.pendingBytes).toBe('12345'.length + 'data: 67'.length);
  });

  it('takes a pause of digits only', () => {
    const parser = new SseParser();
    parser.push(encode('retry: 1500\n\nretry: 1s\n\nretry: -1\n\n'));
    drain(parser);
    expect(parser.retryMs).toBe(1500);
  });

  it('passes over an event above the limit, however it is cut, and reads the next', () => {
    for (const size of [1, 7, 1000]) {
      const bytes = encode(
        `data: ${'x'.repeat(101)}\n\ndata: ${'y'.repeat(100)}\n\ndata: 1\ndata: ${'z'.repeat(99)}\n\n`,
      );
      expect(parseChunks(cut(bytes, size), { maxEventBytes: 100 })).toEqual([
        { kind: 'oversize', bytes: 101 },
        { kind: 'event', type: 'message', data: 'y'.repeat(100), bytes: 100 },
        { kind: 'oversize', bytes: 101 },
      ]);
    }
  });

  it('reads malformed UTF-8 as U+FFFD', () => {
    const bytes = Uint8Array.of(...encode('data: a'), 0xff, 0xe6, 0x97, 0x0a, 0x0a);
    expect(texts(parseChunks(cut(bytes, 1)))).toEqual(['a\uFFFD\uFFFD']);
  });

  it('reads what the encoder wrote, wherever the chunks are cut', () => {
    const message = fc.record({ data: fc.string({ unit: 'binary' }), id: fc.stringMatching(/^[a-z0-9]{1,8}$/) });
    fc.assert(
      fc.property(fc.array(message), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (messages, sizes) => {
        const text = messages.map((each) => encodeSseComment('tick') + encodeSseEvent(each)).join('');
        const events = parseChunks(cutAt(encode(text), sizes));
        expect(texts(events)).toEqual(messages.map(({ data }) => readable(data)));
      }),
    );
  });

  it('agrees with a reading of the whole text by the standard, wherever the chunks are cut', () => {
    const piece = fc.constantFrom(
      'data',
      'id',
      'event',
      ':',
      ' ',
      '\n',
      '\r',
      '\r\n',
      'x',
      'é',
      '😀',
      '\uFEFF',
      '\n\n',
    );
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), sizes, (pieces, cuts) => {
        const text = pieces.join('');
        const events = parseChunks(cutAt(encode(text), cuts)) as SseEvent[];
        expect(events.map(({ type, data }) => ({ type, data }))).toEqual(parseWhole(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The standard's algorithm, on a text that is there as a whole. */
function parseWhole(text: string): { type: string; data: string }[] {
  const events: { type: string; data: string }[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  lines.pop();
  let [data, type] = ['', ''];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === '') {
      if (data !== '') events.push({ type: type || 'message', data: data.slice(0, -1) });
      [data, type] = ['', ''];
    } else if (name === 'data') data += `${value}\n`;
    else if (name === 'event') type = value;
  }
  return events;
}

function parse(text: string): (SseEvent | SseOversize)[] {
  return parseChunks([encode(text)]);
}

function parseChunks(chunks: Iterable<Uint8Array>, options?: SseParserOptions): (SseEvent | SseOversize)[] {
  const parser = new SseParser(options);
  const events: (SseEvent | SseOversize)[] = [];
  for (const chunk of chunks) {
    parser.push(chunk);
    events.push(...drain(parser));
  }
  return events;
}

function drain(parser: SseParser): (SseEvent | SseOversize)[] {
  const events: (SseEvent | SseOversize)[] = [];
  for (let event = parser.next(); event; event = parser.next()) events.push(event);
  return events;
}

function texts(events: readonly (SseEvent | SseOversize)[]): string[] {
  return events.map((event) => (event.kind === 'event' ? event.data : event.kind));
}

/** Line ends of any kind are read as line feeds, and a lone surrogate has no UTF-8. */
function readable(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encode(text)).replaceAll(/\r\n|\r/g, '\n');
}

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

function bytesOf(one: number | readonly number[]): Uint8Array {
  return Uint8Array.from(typeof one === 'number' ? [one] : one);
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return cutAt(bytes, [size].values(), size);
}

function cutAt(bytes: Uint8Array, sizes: Iterator<number>, otherwise = 1): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + (sizes.next().value ?? otherwise);
    chunks.push(bytes.subarray(start, end));
    start = end;
  }
  return chunks;
}
