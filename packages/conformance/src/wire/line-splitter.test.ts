import { describe, expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';
import type { ReceivedFrame } from './wire.ts';

function split(chunks: readonly (string | Uint8Array)[], ends = true): readonly ReceivedFrame[] {
  const frames: ReceivedFrame[] = [];
  const splitter = new LineSplitter((frame) => frames.push(frame));
  for (const chunk of chunks) splitter.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  if (ends) splitter.end();
  return frames;
}

describe('splitting bytes into lines', () => {
  it('is the same however the bytes are cut', () => {
    const bytes = Buffer.from('{"a":"€"}\n{"b":1}\n');
    const whole = split([bytes]);
    expect(whole.map(({ text }) => text)).toEqual(['{"a":"€"}', '{"b":1}']);
    expect(split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('passes over blank lines', () => {
    expect(split(['\n\r\n  \nx\n']).map(({ text }) => text)).toEqual(['x']);
  });

  it('says what is not UTF-8 and what has no newline', () => {
    expect(split([Uint8Array.of(0x22, 0xff, 0x22, 0x0a)])[0]).toMatchObject({ isUtf8: false, isTerminated: true });
    expect(split(['{}'])[0]).toMatchObject({ isUtf8: true, isTerminated: false });
    expect(split(['{}'], false)).toEqual([]);
  });
});
