import type { Message } from '@parley/jsonrpc';
import { TransportClosedError } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import { needs } from '../needs/index.ts';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';
import { createOpener, type OpenPair } from './open-pair.ts';
import { Recorder } from './recorder.ts';

export interface WireNature {
  /** Whether `near` can make `far` wait; a browser's WebSocket cannot. Default: true. */
  readonly canSlowTheSender?: boolean;
}

/** What every transport must do, as tests. Call it in a test file, once per kind of wire. */
export function transportCases(name: string, openPair: OpenPair, { canSlowTheSender = true }: WireNature = {}): void {
  describe(name, () => {
    const open = createOpener(openPair);

    it('delivers messages in the order in which they were sent, in both directions', async () => {
      const { near, far } = await open();
      const [atNear, atFar] = [new Recorder(near), new Recorder(far)];
      const messages = Array.from({ length: 1000 }, (_, index) => note(index));
      for (const message of messages) {
        void near.send(message);
        void far.send(message);
      }
      await Promise.all([atNear.messages(1000), atFar.messages(1000)]);
      expect(atNear.values).toEqual(messages);
      expect(atFar.values).toEqual(messages);
    });

    it('keeps what arrives before anybody listens', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      void far.send(note('early'));
      void near.send(note('ping'));
      await atFar.messages(1);
      const atNear = new Recorder(near);
      await atNear.messages(1);
      expect(atNear.values).toEqual([note('early')]);
    });

    it('never delivers inside the call to send', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      void near.send(note(1));
      expect(atFar.values).toEqual([]);
      await atFar.messages(1);
    });

    it('delivers a copy as it was when it was sent', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      const params = { list: [1], gone: undefined, date: new Date(0) };
      void near.send({ jsonrpc: '2.0', method: 'note', params });
      params.list.push(2);
      await atFar.messages(1);
      expect(atFar.values).toStrictEqual([
        { jsonrpc: '2.0', method: 'note', params: { list: [1], date: '1970-01-01T00:00:00.000Z' } },
      ]);
    });

    it('keeps naughty strings as they are', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      const strings = [
        ...NAUGHTY_STRINGS,
        'a\u2028b\u2029c',
        '\u0000\u001f',
        '\ud800 alone',
        '\u{1F600}',
        '\uFEFFmark',
        '\r\n',
      ];
      for (const text of strings) void near.send(note(text));
      await atFar.messages(strings.length);
      expect(atFar.values).toEqual(strings.map(note));
    });

    it('carries a message of several megabytes, in step with small ones', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      const messages = [note('before'), note('é—日'.repeat(500_000)), note('x'.repeat(5_000_000)), note('after')];
      for (const message of messages) void near.send(message);
      await atFar.messages(messages.length);
      expect(atFar.values).toEqual(messages);
    });

    it('refuses a message without JSON form, and sends its neighbours whole', async () => {
      const { near, far } = await open();
      const atFar = new Recorder(far);
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      void near.send(note(1));
      expect(() => near.send(note(10n))).toThrow(/Cannot send "note".*BigInt/);
      expect(() => near.send(note(cycle))).toThrow(/Cannot send "note"/);
      void near.send(note(2));
      await atFar.messages(2);
      expect(atFar.values).toEqual([note(1), note(2)]);
    });

    it('stops at once when paused from within a listener, and loses nothing', async () => {
      const { near, far } = await open();
      const atNear = new Recorder(near, (value) => {
        if (isNote(value, 10)) near.pause();
      });
      const atFar = new Recorder(far);
      const messages = Array.from({ length: 100 }, (_, index) => note(index));
      for (const message of messages) void far.send(message);
      await atNear.messages(11);
      // A round trip in the other direction gives stray deliveries the time to show themselves.
      void near.send(note('ping'));
      await atFar.messages(1);
      expect(atNear.values).toEqual(messages.slice(0, 11));
      near.resume();
      await atNear.messages(100);
      expect(atNear.values).toEqual(messages);
    });

    it('stays paused when it is paused again right after resume', async () => {
      const { near, far } = await open();
      const atNear = new Recorder(near);
      const atFar = new Recorder(far);
      near.pause();
      void far.send(note(1));
      near.resume();
      near.pause();
      void near.send(note('ping'));
      await atFar.messages(1);
      expect(atNear.values).toEqual([]);
      near.resume();
      await atNear.messages(1);
    });

    const slowing = { isMet: canSlowTheSender, reason: 'the transport cannot slow the sender' };
    it('asks the sender to wait while the receiver is paused, and no longer', needs(slowing), async () => {
      const { near, far } = await open();
      const atNear = new Recorder(near);
      near.pause();
      const big = note('x'.repeat(100_000));
      let sent = 0;
      let full: Promise<void> | undefined;
      while (!full && sent < 2000) {
        full = far.send(big) ?? undefined;
        sent += 1;
        if (sent % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(full).toBeInstanceOf(Promise);
      near.resume();
      await full;
      await atNear.messages(sent);
      expect(atNear.values).toHaveLength(sent);
    });

    it('tells, where it can, when what was sent has left: not while the receiver is paused, and at the latest at the close', async () => {
      const { near, far } = await open();
      if (!near.whenSent) return expect(near.whenSent).toBeUndefined();
      const atFar = new Recorder(far);
      void near.send(note('first'));
      await near.whenSent();
      await atFar.messages(1);
      far.pause();
      // More than any system keeps between the two.
      for (let count = 0; count < 200; count += 1) void near.send(note('x'.repeat(100_000)));
      const sent: string[] = [];
      const all = near.whenSent().then(() => sent.push('all'));
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent).toEqual([]);
      far.resume();
      await all;
      await near.close();
      await near.whenSent();
    });

    it('sends what is queued before it closes, and tells both sides once', async () => {
      const { near, far } = await open();
      const [atNear, atFar] = [new Recorder(near), new Recorder(far)];
      const messages = Array.from({ length: 100 }, (_, index) => note(index));
      for (const message of messages) void near.send(message);
      await Promise.all([near.close(), near.close(), atFar.closed()]);
      await near.close();
      expect(atFar.values).toEqual(messages);
      expect(atFar.deliveries.at(-1)).toEqual({ kind: 'close', reason: { kind: 'ended' } });
      expect(atFar.closes).toHaveLength(1);
      expect(atNear.closes).toEqual([{ kind: 'closed' }]);
      expect(() => near.send(note('late'))).toThrow(TransportClosedError);
    });

    it('tells a listener that comes too late why it closed', async () => {
      const { near } = await open();
      await near.close();
      const reason = await new Promise((resolve) => near.onClose(resolve));
      expect(reason).toEqual({ kind: 'closed' });
    });

    it('delivers everything to a paused receiver before the end', async () => {
      const { near, far } = await open();
      const atNear = new Recorder(near);
      near.pause();
      for (let index = 0; index < 50; index += 1) void far.send(note(index));
      const closing = far.close();
      await new Promise((resolve) => setImmediate(resolve));
      expect(atNear.deliveries).toEqual([]);
      near.resume();
      await Promise.all([atNear.closed(), closing]);
      expect(atNear.values).toEqual(Array.from({ length: 50 }, (_, index) => note(index)));
      expect(atNear.deliveries.at(-1)?.kind).toBe('close');
    });
  });
}

function note(value: unknown): Message {
  return { jsonrpc: '2.0', method: 'note', params: { value } };
}

function isNote(message: unknown, value: unknown): boolean {
  return JSON.stringify(message) === JSON.stringify(note(value));
}
