import type { Message } from '@parley/jsonrpc';
import { needs } from '@parley/testing/needs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyWire, openFaultyWire, WIRES } from './faulty-wire.ts';

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
let before: number;
beforeAll(() => {
  process.on('unhandledRejection', onUnhandled);
  process.on('uncaughtException', onUnhandled);
  before = countSockets();
});
afterAll(async () => {
  await until(() => countSockets() <= before);
  process.off('unhandledRejection', onUnhandled);
  process.off('uncaughtException', onUnhandled);
  expect(unhandled).toEqual([]);
});

describe.concurrent.each(WIRES)('$name on a bad network', (wire) => {
  it('says that the connection was lost, when it is broken as soon as it is there', async () => {
    await using faulty = await openFaultyWire(wire);
    faulty.proxy.always({ kind: 'refuse' });
    expect(await faulty.failToDial({ resumeMs: 500 })).toMatchObject({ name: 'NetworkError', kind: 'dropped' });
    expect(faulty.accepted).toEqual([]);
  });

  it('says that there was no answer in time, when it is accepted without a word', async () => {
    await using faulty = await openFaultyWire(wire);
    faulty.proxy.always({ kind: 'silent' });
    const failure = await faulty.failToDial({ connectTimeoutMs: 300, postTimeoutMs: 300 });
    expect(failure).toMatchObject({ name: 'NetworkError', kind: 'timeout' });
  });

  it('says that the connection was lost, when the server behind it is gone', async () => {
    await using faulty = await openFaultyWire(wire);
    await faulty.listener.close({ graceMs: 0 });
    expect(await faulty.failToDial({ resumeMs: 500 })).toMatchObject({ name: 'NetworkError', kind: 'dropped' });
  });

  it.each([1, 150])('ends soon when it is cut %i bytes into the first answer', async (afterBytes) => {
    await using faulty = await openFaultyWire(wire);
    faulty.proxy.always({ kind: 'cut', afterBytes });
    const failure = await faulty.failToDial({ resumeMs: 1000 });
    // What came before the cut may have been all of it.
    if (failure !== 'no failure') expect(failure).toMatchObject({ name: 'NetworkError', kind: 'dropped' });
    faulty.proxy.always();
    await release(faulty);
  });

  it.each([1, 150, 300])(
    'does not wait for ever for the rest of an answer, when the cable is pulled %i bytes into it',
    async (afterBytes) => {
      await using faulty = await openFaultyWire(wire);
      faulty.proxy.always({ kind: 'half_open', afterBytes });
      const failure = await faulty.failToDial({
        connectTimeoutMs: 300,
        postTimeoutMs: 300,
        resumeMs: 300,
        silenceMs: 300,
      });
      if (failure !== 'no failure') expect(failure).toMatchObject({ name: 'NetworkError' });
    },
  );

  it('brings everything in order, however late and slow', async () => {
    await using faulty = await openFaultyWire(wire);
    faulty.proxy.always({ kind: 'latency', ms: 5, jitterMs: 20 }, { kind: 'slow', bytesPerSecond: 400_000 });
    const client = await faulty.dial();
    const ids = Array.from({ length: 8 }, (_, n) => `q${n}`);
    const answers = await Promise.all(ids.map((id) => client.ask(id, { id })));
    expect(answers).toEqual(ids.map((id) => ({ params: { id } })));
    expect(await client.ask('large', { large: 50_000 })).toEqual({ text: 'x'.repeat(50_000) });
  });

  it('works when connections come through in another order than they were opened', async () => {
    await using faulty = await openFaultyWire(wire);
    const first = await faulty.dial();
    faulty.proxy.next({ kind: 'hold' });
    const [answer, second] = await Promise.all([first.ask('a', { n: 1 }), dialTwice(faulty)]);
    expect(answer).toEqual({ params: { n: 1 } });
    expect(await second.ask('b', { n: 2 })).toEqual({ params: { n: 2 } });
  });

  it.each(['cut', 'reset'] as const)('releases both ends after a %s, or goes on', async (kind) => {
    await using faulty = await openFaultyWire(wire);
    const client = await faulty.dial();
    faulty.proxy.apply({ kind });
    // One that was posted in the very moment may have arrived or not, so it must not be posted again.
    const after = await client.ask('after', { kind }).catch((error: unknown) => error);
    if (client.recorder.closes.length === 0) expect(after).toEqual({ params: { kind } });
    else expect(client.recorder.closes).toMatchObject([{ kind: 'failed', error: { kind: 'dropped' } }]);
    expect(client.recorder.closes).toHaveLength(wire.name === 'WebSocket' ? 1 : client.recorder.closes.length);
    await client.transport.close();
    await release(faulty);
  });

  it('tells whoever waits for an answer that the connection was lost', async () => {
    await using faulty = await openFaultyWire(wire);
    const client = await faulty.dial({ resumeMs: 1000 });
    const failure = client.ask('waiting', { never: true }).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await client.transport.whenSent?.();
    await until(() => faulty.proxy.stats.bytesToServer > 0);
    faulty.proxy.always({ kind: 'refuse' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    faulty.proxy.apply({ kind: 'reset' });
    expect(await failure).toMatchObject({ name: 'NetworkError', kind: 'dropped' });
    faulty.proxy.always();
    await release(faulty);
  });

  it('notices a network that carries nothing any more, without being told', async () => {
    await using faulty = await openFaultyWire(wire);
    const client = await faulty.dial({ postTimeoutMs: 2000 });
    const failure = client.ask('waiting', { never: !wire.resumes, n: 1 }).then(
      (value) => value,
      (error: unknown) => error,
    );
    if (!wire.resumes) await until(() => faulty.proxy.stats.bytesToServer > 0);
    else await failure;
    faulty.proxy.apply({ kind: 'half_open' });
    if (wire.resumes) {
      for (const transport of faulty.accepted) void transport.send(note(1));
      await client.recorder.until(() => client.recorder.values.some((value) => isNote(value, 1)));
      expect(client.recorder.closes).toEqual([]);
    } else expect(await failure).toMatchObject({ name: 'NetworkError' });
    await client.transport.close();
    await release(faulty);
  });

  const stream = { isMet: wire.hasStream, reason: 'the wire has no stream of bytes' };
  it('drops half a message that was cut, or brings it whole, but never twice', needs(stream), async () => {
    await using faulty = await openFaultyWire(wire);
    const client = await faulty.dial();
    expect(await client.ask('before', { n: 0 })).toEqual({ params: { n: 0 } });
    // Whichever of the connections carries it.
    for (const connection of faulty.proxy.connections) {
      connection.apply({ kind: 'reset', afterBytes: connection.bytesToClient + 5000 });
    }
    for (const transport of faulty.accepted) {
      for (let n = 1; n <= 20; n += 1) void transport.send(note(n));
    }
    if (wire.resumes) await client.recorder.until(() => client.recorder.values.some((value) => isNote(value, 20)));
    else await client.recorder.closed();
    const notes = client.recorder.values.filter((value) => 'method' in (value as object));
    expect(notes).toEqual(Array.from({ length: notes.length }, (_, n) => note(n + 1)));
    expect(client.recorder.faults).toEqual([]);
    if (wire.resumes) expect(notes).toHaveLength(20);
  });
});

/** A second client, whose own connections may be held back as well. */
async function dialTwice(faulty: FaultyWire) {
  const [one] = await Promise.all([faulty.dial(), faulty.dial()]);
  return one;
}

/** All that the server has accepted is over, without our closing it. */
async function release(faulty: FaultyWire): Promise<void> {
  await until(() => faulty.ends.length === faulty.accepted.length);
}

function note(n: number): Message {
  return { jsonrpc: '2.0', method: 'note', params: { n, text: 'y'.repeat(1000) } };
}

function isNote(value: unknown, n: number): boolean {
  return (value as { params?: { n?: number } }).params?.n === n;
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|TLS|HTTP/.test(kind)).length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
