import type { TransportFault } from '@parley/jsonrpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeTextCodec } from '../stream/node-text-codec.ts';
import { FrameDecoder, type FrameDecoderOptions } from './frame-decoder.ts';
import type { Framing } from './framing.ts';
import { webTextCodec } from './text-codec.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('newline frames', () => {
  it.each([
    ['ends of lines in either style', '{"a":1}\n{"a":2}\r\n', ['{"a":1}', '{"a":2}']],
    ['blank lines', '\n\r\n  \t\n{"a":1}\n\n', ['{"a":1}']],
    ['a last line without its end', '{"a":1}\n{"a":2}', ['{"a":1}', '{"a":2}']],
    ['a byte order mark at the start', '\uFEFF{"a":1}\n', ['{"a":1}']],
    ['a byte order mark anywhere else', '{"a":1}\n\uFEFF{"a":2}\n', ['{"a":1}', 'invalid_json 10']],
    ['white space around a message', '  {"a":1} \t\n', ['{"a":1}']],
    ['values that are not objects', '[1]\n"x"\nnull\n7\n', ['[1]', '"x"', 'null', '7']],
    ['headers of another framing', 'Content-Length: 2\n\n{}\n', ['invalid_json 17', '{}']],
    ['an unfinished last line', '{"a":1}\n{"a"', ['{"a":1}', 'invalid_json 4']],
  ])('may have %s', (_, input, expected) => {
    expect(decodeAll([encode(input)], { framing: 'newline' })).toEqual([...expected, 'end']);
  });
});

describe('Content-Length frames', () => {
  it.each([
    ['other headers', 'Content-Type: x/y\r\nContent-Length: 7\r\nX: 1\r\n\r\n{"a":1}', ['{"a":1}']],
    ['names in any case', 'content-LENGTH:7\n\n{"a":1}', ['{"a":1}']],
    ['characters of several bytes', 'Content-Length: 10\r\n\r\n{"a":"日"}'.replace('10', '11'), ['{"a":"日"}']],
    ['line feeds inside', 'Content-Length: 9\r\n\r\n{\n"a":1\n}', ['{"a":1}']],
    ['line ends between them', 'Content-Length: 2\r\n\r\n{}\r\n\r\nContent-Length: 2\r\n\r\n{}', ['{}', '{}']],
    ['no content', 'Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}', ['invalid_json 0', '{}']],
    [
      'a wrong length',
      'Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n{}',
      ['invalid_json 1', 'bad_frame 1', '{}'],
    ],
    [
      'a length that is no number',
      'Content-Length: ten\r\n\r\n{}Content-Length: 2\r\n\r\n{}',
      ['bad_frame 21', 'bad_frame 2', '{}'],
    ],
    [
      'a length beyond all reason',
      `Content-Length: ${'9'.repeat(20)}\r\n\r\nContent-Length: 2\r\n\r\n{}`,
      ['bad_frame 38', '{}'],
    ],
    ['headers without a length', 'Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}', ['bad_frame 19', '{}']],
    [
      'headers without end',
      `Content-Type: ${'x'.repeat(9000)}\r\nContent-Length: 2\r\n\r\n{}`,
      ['bad_frame 9016', '{}'],
    ],
    ['lines without headers', 'hello\nContent-Length: 2\r\n\r\n{}', ['bad_frame 5', '{}']],
    ['an end inside the headers', 'Content-Length: 2\r\n', ['bad_frame 19']],
    ['an end right after the headers', 'Content-Length: 2\r\n\r', ['bad_frame 0']],
    ['an end inside the body', 'Content-Length: 20\r\n\r\n{}', ['bad_frame 2']],
  ])('may have %s', (_, input, expected) => {
    expect(decodeAll([encode(input)], { framing: 'content-length' })).toEqual([...expected, 'end']);
  });
});

describe('frames of either kind', () => {
  const header = (json: string): string => `Content-Length: ${json.length}\r\n\r\n${json}`;

  it.each([
    ['a line', `{"a":1}\n${header('{"a":2}')}{"a":3}\n`, 'newline'],
    ['a header', `${header('{"a":1}')}{"a":2}\n${header('{"a":3}')}`, 'content-length'],
    ['a line after blank ones', `\n \r\n{"a":1}\n${header('{"a":2}')}{"a":3}\n`, 'newline'],
  ])('are read side by side, and answered as the first message was framed: %s', (_, input, framing) => {
    const log: string[] = [];
    const decoder = new FrameDecoder(
      {
        onValue: (value) => log.push(`${JSON.stringify(value)} ${decoder.peerFraming}`),
        onFault: () => log.push('fault'),
        onEnd: () => log.push('end'),
      },
      { framing: 'auto' },
    );
    decoder.write(encode(input));
    decoder.end();
    expect(log).toEqual([`{"a":1} ${framing}`, `{"a":2} ${framing}`, `{"a":3} ${framing}`, 'end']);
  });

  it('are answered as the first one was framed also when it was broken, and never by noise', () => {
    const broken = collect({ framing: 'auto' });
    broken.write(encode('Content-Length: ten\r\n\r\n{"a":1}\n'));
    expect(broken.peerFraming).toBe('content-length');
    const noisy = collect({ framing: 'auto' }, () => {});
    noisy.write(encode(`Welcome!\n${header('{"a":1}')}`));
    expect(noisy.peerFraming).toBe('content-length');
  });
});

describe('the limits', () => {
  it('count bytes, not characters', () => {
    const input = encode('{"a":"日日"}\n{"a":"日日日"}\n{"a":1}\n');
    expect(decodeAll([input], { maxMessageBytes: 14 })).toEqual([
      '{"a":"日日"}',
      'message_too_large 15',
      '{"a":1}',
      'end',
    ]);
  });

  it('apply to a body before it arrives, and its bytes are not kept', () => {
    const decoder = collect({ framing: 'content-length', maxMessageBytes: 100 });
    decoder.write(encode('Content-Length: 100000000\r\n\r\n'));
    for (let index = 0; index < 100; index += 1) decoder.write(new Uint8Array(1_000_000));
    decoder.write(encode('Content-Length: 2\r\n\r\n{}'));
    expect(decoder.log).toEqual(['message_too_large 100000000', '{}']);
  });

  it('are told as soon as a header announces too much, or a line has no end', () => {
    const framed = collect({ framing: 'auto', maxMessageBytes: 100 });
    framed.write(encode('Content-Length: 101\r\n\r\n'));
    expect(framed.log).toEqual(['message_too_large 101']);
    const line = collect({ framing: 'auto', maxMessageBytes: 100 });
    line.write(encode('x'.repeat(60)));
    expect(line.log).toEqual([]);
    for (let index = 0; index < 3; index += 1) line.write(encode('x'.repeat(60)));
    expect(line.log).toEqual(['message_too_large 101']);
    line.write(encode('x\n{"a":1}\n'));
    line.end();
    expect(line.log).toEqual(['message_too_large 101', '{"a":1}', 'end']);
  });

  it('read on after a header with a length that no message has', () => {
    const decoder = collect({ framing: 'auto' });
    decoder.write(encode('Content-Length: 99999999999\r\n\r\n'));
    expect(decoder.log).toEqual(['message_too_large 99999999999']);
    decoder.write(encode('Content-Length: 7\r\n\r\n{"a":1}{"a":2}\n'));
    expect(decoder.log.slice(1)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it('apply to depth wherever it is found', () => {
    const nest = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}\n`;
    const harmless = `{"text":"${'['.repeat(100)}\\"${'{'.repeat(100)}","list":[${'[],'.repeat(100)}{}]}`;
    const input = [
      nest('[', ']', 10),
      nest('[', ']', 11),
      nest('{"a":', '}', 10),
      nest('{"a":', '}', 11),
      `{"first":[],"then":${nest('[1,', ']', 10)}`.replace(/\n$/, '}\n'),
      `${harmless}\n`,
    ];
    const log = decodeAll([encode(input.join(''))], { maxDepth: 10 });
    expect(log.map((entry) => entry.slice(0, 17))).toEqual([
      '[[[[[[[[[[1]]]]]]',
      'message_too_large',
      '{"a":{"a":{"a":{"',
      'message_too_large',
      'message_too_large',
      harmless.slice(0, 17),
      'end',
    ]);
  });
});

describe('noise', () => {
  it('is told apart from messages and faults', () => {
    const noise: string[] = [];
    const decoder = collect({ framing: 'newline' }, (line) => noise.push(line));
    const lines = ['Welcome!', '[INFO] ready', '42', '{"a":1}', '{broken', '\u001b[0m{"jsonrpc":"2.0"}', '[1]'];
    decoder.write(encode(lines.map((line) => `${line}\n`).join('')));
    expect(decoder.log).toEqual(['{"a":1}', 'invalid_json 7', '{"jsonrpc":"2.0"}', '[1]']);
    expect(noise).toEqual(['Welcome!', '[INFO] ready', '42', '\u001b[0m']);
  });
});

describe('chunks', () => {
  const framings: readonly Framing[] = ['newline', 'content-length', 'auto'];
  const codecs = { webTextCodec, nodeTextCodec };
  const pieces = fc.oneof(
    fc.json().map(encode),
    fc.json().map((json) => encode(`Content-Length: ${encode(json).length}\r\n\r\n${json}`)),
    fc.constantFrom('\n', '\r\n', 'Content-Length: x\n', '{', '"é😀"', '\uFEFF', 'content-length: 3\n\n').map(encode),
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom([0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xf4, 0x90], [0xc0, 0xaf], [0xe2, 0x82]).map(toBytes),
  );
  const input = fc.array(fc.oneof(pieces, fc.constant(encode('\n'))), { maxLength: 12 }).map(concat);

  it.each(framings)('of any size give the same %s frames', (framing) => {
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 40 });
    fc.assert(
      fc.property(input, cuts, fc.constantFrom(...Object.values(codecs)), (bytes, sizes, codec) => {
        const options = { framing, codec, maxMessageBytes: 60 };
        const whole = decodeAll([bytes], options);
        expect(decodeAll(cut(bytes, sizes), options)).toEqual(whole);
        expect(decodeAll(cut(bytes, Array(bytes.length).fill(1)), options)).toEqual(whole);
      }),
      { seed: 2, numRuns: 400 },
    );
  });

  it('mean the same to every codec', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const logs = Object.values(codecs).map((codec) => decodeAll([bytes], { framing: 'auto', codec }));
        expect(logs[0]).toEqual(logs[1]);
      }),
      { seed: 3, numRuns: 400 },
    );
  });

  it('of single bytes add up to a large frame, also of long characters', () => {
    const text = '日é😀'.repeat(2000);
    const bytes = encode(`${JSON.stringify(text)}\n`);
    for (const codec of Object.values(codecs)) {
      const log = decodeAll(cut(bytes, Array(bytes.length).fill(1)), { codec });
      expect(log).toEqual([JSON.stringify(text), 'end']);
    }
  });

  it('of any size add up to a frame of megabytes', () => {
    const text = 'xé—日😀'.repeat(400_000);
    const bytes = encode(`${JSON.stringify(text)}\n`);
    const sizes = Array.from({ length: 100 }, (_, index) => 60_001 + index);
    for (const codec of Object.values(codecs)) {
      const log = decodeAll(cut(bytes, sizes), { codec });
      expect(log[0] === JSON.stringify(text)).toBe(true);
    }
  });

  it('wait while the decoder is paused, at whatever frame', () => {
    const seen: unknown[] = [];
    const decoder = new FrameDecoder({
      onValue(value) {
        seen.push(value);
        decoder.pause();
      },
      onFault: () => decoder.pause(),
      onEnd: () => seen.push('end'),
    });
    decoder.write(encode('1\n2\n{\n3\n'));
    expect(seen).toEqual([1]);
    decoder.write(encode('4\n5'));
    decoder.end();
    for (let steps = 0; steps < 6; steps += 1) decoder.resume();
    expect(seen).toEqual([1, 2, 3, 4, 5, 'end']);
  });

  it('are read on when a listener throws', () => {
    const seen: unknown[] = [];
    const decoder = new FrameDecoder({
      onValue(value) {
        seen.push(value);
        if (value === 1) throw new Error('from the listener');
      },
      onFault: () => {},
      onEnd: () => {},
    });
    expect(() => decoder.write(encode('1\n2\n'))).toThrow('from the listener');
    decoder.write(encode('3\n'));
    expect(seen).toEqual([1, 2, 3]);
  });
});

function collect(options: FrameDecoderOptions, onNoise?: (line: string) => void): FrameDecoder & { log: string[] } {
  const log: string[] = [];
  const sink = {
    onValue: (value: unknown) => void log.push(JSON.stringify(value)),
    onFault: ({ kind, bytes }: TransportFault) => void log.push(`${kind} ${bytes}`),
    onEnd: () => void log.push('end'),
    ...(onNoise && { onNoise }),
  };
  return Object.assign(new FrameDecoder(sink, options), { log });
}

function decodeAll(chunks: readonly Uint8Array[], options: FrameDecoderOptions): string[] {
  const decoder = collect(options);
  for (const chunk of chunks) decoder.write(chunk);
  decoder.end();
  return decoder.log;
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  let start = 0;
  const chunks = sizes.map((size) => {
    const chunk = bytes.subarray(start, start + size);
    start += chunk.length;
    return chunk;
  });
  return [...chunks, bytes.subarray(start)];
}

function toBytes(list: readonly number[]): Uint8Array {
  return Uint8Array.from(list);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
