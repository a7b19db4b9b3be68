import { Buffer, isUtf8 } from 'node:buffer';
import type { Transport } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import { JSON_CASES, type JsonCase } from './json-cases.ts';
import { createOpener, type OpenPair, type PairLimits } from './open-pair.ts';
import { type Delivery, Recorder } from './recorder.ts';

/** A wire of bytes: how to open it, and what its frames look like. */
export interface ByteWire {
  readonly openPair: OpenPair;
  /** Puts bytes that may be JSON into one frame. */
  readonly frame: (bytes: Uint8Array) => Uint8Array;
  /** Whether a line feed ends a frame, so that it cannot be part of one. */
  readonly endsFramesAtNewline: boolean;
  /** Whether lines that do not begin with `{` are passed over without a fault. */
  readonly toleratesNoise: boolean;
  /** Whether a message above the limit ends the wire, as it does for WebSockets. Default: false, it is passed over. */
  readonly endsAtOversize?: boolean;
  /** Whether malformed UTF-8 ends the wire, as RFC 6455 has it for WebSockets. Default: false, it is read as U+FFFD. */
  readonly endsAtMalformedText?: boolean;
}

/** What every transport over bytes must do with bytes that no proper peer would send. */
export function byteTransportCases(name: string, wire: ByteWire): void {
  describe(name, () => {
    const open = createOpener(wire.openPair);
    const cases = wire.endsAtMalformedText ? JSON_CASES.filter(({ bytes }) => isUtf8(bytes)) : JSON_CASES;

    async function openBytes(limits?: PairLimits): Promise<BytePair> {
      const { near, writeRaw } = await open(limits);
      if (!writeRaw) throw new Error('A wire of bytes needs writeRaw.');
      return { near, write: writeRaw };
    }

    it('reports what is not JSON in its place, and lives on', async () => {
      const { near, write } = await openBytes();
      const atNear = new Recorder(near);
      for (const text of ['{"n":1}', '{"n":', '{"n":2}', '{]', '{"n":3}']) write(wire.frame(Buffer.from(text)));
      await atNear.messages(3);
      expect(atNear.deliveries.map(summarise)).toEqual([
        '{"n":1}',
        'invalid_json 5',
        '{"n":2}',
        'invalid_json 2',
        '{"n":3}',
      ]);
    });

    it('never repeats the input in a fault', async () => {
      const { near, write } = await openBytes();
      const atNear = new Recorder(near);
      write(wire.frame(Buffer.from('{"token": hunter2}')));
      await atNear.until(() => atNear.faults.length === 1);
      expect(JSON.stringify(atNear.faults)).not.toContain('hunter2');
    });

    it('passes over a message above the limit and reads the next, or ends', async () => {
      const { near, write } = await openBytes({ maxMessageBytes: 100_000 });
      const atNear = new Recorder(near);
      const sized = (bytes: number) => Buffer.from(`{"n":"${'x'.repeat(bytes - 8)}"}`);
      if (wire.endsAtOversize) {
        for (const bytes of [100_000, 100_001]) write(wire.frame(sized(bytes)));
        await atNear.closed();
        expect(atNear.deliveries.map(summarise)).toEqual([sized(100_000).toString(), 'failed']);
        return;
      }
      for (const bytes of [100_000, 100_001, 5_000_000, 99_999]) write(wire.frame(sized(bytes)));
      await atNear.messages(2);
      expect(atNear.deliveries.map(summarise)).toEqual([
        sized(100_000).toString(),
        'message_too_large 100001',
        // A line is refused as soon as it is too long; a header tells the whole size.
        `message_too_large ${wire.endsFramesAtNewline ? 100_001 : 5_000_000}`,
        sized(99_999).toString(),
      ]);
    });

    it('refuses a message nested a hundred thousand levels deep, and reads the next', async () => {
      const { near, write } = await openBytes();
      const atNear = new Recorder(near);
      const bomb = `{"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      write(wire.frame(Buffer.from(bomb)));
      write(wire.frame(Buffer.from('{"n":1}')));
      await atNear.messages(1);
      expect(atNear.deliveries.map(summarise)).toEqual(['message_too_large 200006', '{"n":1}']);
    });

    it('reads frames that arrive byte by byte', async () => {
      const { near, write } = await openBytes();
      const atNear = new Recorder(near);
      const values = [{ n: 'é—日😀' }, { n: [1, 2] }, { n: '' }];
      const bytes = Buffer.concat(values.map((value) => wire.frame(Buffer.from(JSON.stringify(value)))));
      for (const byte of bytes) {
        write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await atNear.messages(values.length);
      expect(atNear.values).toEqual(values);
    });

    it('reads malformed UTF-8 as U+FFFD, or ends', async () => {
      const { near, write } = await openBytes();
      const atNear = new Recorder(near);
      write(wire.frame(Buffer.from('7b226e223a2261ff62ed a080c0af e697227d'.replaceAll(' ', ''), 'hex')));
      if (wire.endsAtMalformedText) {
        await atNear.closed();
        expect(atNear.deliveries.map(summarise)).toEqual(['failed']);
        return;
      }
      await atNear.messages(1);
      expect(atNear.values).toEqual([{ n: `a\uFFFDb${'\uFFFD'.repeat(3)}${'\uFFFD'.repeat(2)}\uFFFD` }]);
    });

    it('gives the right verdict on all of JSONTestSuite, as part of an object', async () => {
      const pair = await openBytes();
      expect(JSON_CASES).toHaveLength(318);
      const wrapped = cases.map((jsonCase) => ({ ...jsonCase, bytes: wrap(jsonCase.bytes) }));
      expect(await collectWrongVerdicts(pair, wire, wrapped)).toEqual([]);
    });

    // Where a line that is not an object counts as noise, there is no verdict to compare.
    if (wire.toleratesNoise) return;

    it('gives the right verdict on all of JSONTestSuite, as it is', async () => {
      const pair = await openBytes();
      expect(await collectWrongVerdicts(pair, wire, cases)).toEqual([]);
    });
  });
}

export interface BytePair {
  readonly near: Transport;
  readonly write: (bytes: Uint8Array) => void;
}

const MARKER = '{"marker":true}';

/** Sends each case followed by a marker, and compares what arrives before the marker with the case's verdict. */
export async function collectWrongVerdicts(
  { near, write }: BytePair,
  wire: Pick<ByteWire, 'frame' | 'endsFramesAtNewline'>,
  cases: readonly JsonCase[],
): Promise<readonly string[]> {
  let markers = 0;
  const atNear = new Recorder(near, (value) => {
    if (JSON.stringify(value) === MARKER) markers += 1;
  });
  for (const { bytes } of cases) {
    write(wire.frame(bytes));
    write(wire.frame(Buffer.from(MARKER)));
  }
  await atNear.until(() => markers === cases.length);

  const wrong: string[] = [];
  const isMarker = (delivery: Delivery) => summarise(delivery) === MARKER;
  let rest = atNear.deliveries;
  for (const jsonCase of cases) {
    const end = rest.findIndex(isMarker);
    if (!isRight(jsonCase, rest.slice(0, end), wire)) wrong.push(jsonCase.name);
    rest = rest.slice(end + 1);
  }
  return wrong;
}

function isRight(
  { verdict, bytes }: JsonCase,
  deliveries: readonly Delivery[],
  wire: Pick<ByteWire, 'endsFramesAtNewline'>,
): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  // Such a case is several frames, or none: that the marker came through is all there is to ask.
  if (wire.endsFramesAtNewline && (text.includes('\n') || text.trim() === '')) return true;
  const [delivery, ...more] = deliveries;
  if (delivery === undefined || more.length > 0) return false;
  if (verdict === 'either') return true;
  if (verdict === 'reject') return delivery.kind === 'fault';
  return delivery.kind === 'message' && JSON.stringify(delivery.value) === JSON.stringify(JSON.parse(text));
}

function wrap(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"value":'), bytes, Buffer.from('}')]);
}

export function summarise(delivery: Delivery): string {
  if (delivery.kind === 'message') return JSON.stringify(delivery.value);
  return delivery.kind === 'fault' ? `${delivery.fault.kind} ${delivery.fault.bytes}` : delivery.reason.kind;
}
