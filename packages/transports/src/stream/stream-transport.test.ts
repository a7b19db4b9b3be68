import { Buffer } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { byteTransportCases, type PairLimits, Recorder, transportCases } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import type { Framing } from '../framing/framing.ts';
import { StreamTransport } from './stream-transport.ts';

const frameLine = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('\n')]);
const frameWithLength = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);

transportCases('newline frames over pipes', (limits) => openPipes('newline', limits));
byteTransportCases('newline frames over pipes, raw', {
  openPair: (limits) => openPipes('newline', limits),
  frame: frameLine,
  endsFramesAtNewline: true,
  toleratesNoise: false,
});

transportCases('Content-Length frames over pipes', (limits) => openPipes('content-length', limits));
byteTransportCases('Content-Length frames over pipes, raw', {
  openPair: (limits) => openPipes('content-length', limits),
  frame: frameWithLength,
  endsFramesAtNewline: false,
  toleratesNoise: false,
});

/** Two processes that copy their input: between our two ends lie real pipes, with their own ideas about chunks. */
function openPipes(framing: Framing, limits: PairLimits = {}) {
  const [forth, back] = [startCopier(), startCopier()];
  return {
    near: new StreamTransport({ readable: back.stdout, writable: forth.stdin }, { framing, ...limits }),
    far: new StreamTransport({ readable: forth.stdout, writable: back.stdin }, { framing }),
    writeRaw: (bytes: Uint8Array) => void back.stdin.write(bytes),
    dispose: () => Promise.all([forth, back].map(waitForExit)).then(() => {}),
  };
}

function startCopier() {
  return spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

describe('a stream transport', () => {
  it('answers in the framing of the first message, whatever comes later', async () => {
    const { transport, input, written } = open('auto');
    const recorder = new Recorder(transport);
    const answer = async (): Promise<string> => {
      void transport.send({ jsonrpc: '2.0', method: 'é' });
      await step();
      return written();
    };
    expect(await answer()).toBe('{"jsonrpc":"2.0","method":"é"}\n');
    input.write('Content-Length: 2\r\n\r\n{}');
    await recorder.messages(1);
    expect(await answer()).toBe('Content-Length: 31\r\n\r\n{"jsonrpc":"2.0","method":"é"}');
    input.write('{}\n');
    await recorder.messages(2);
    expect(await answer()).toBe('Content-Length: 31\r\n\r\n{"jsonrpc":"2.0","method":"é"}');
  });

  it('puts the messages of one tick into one write', async () => {
    const { transport, output } = open('newline');
    let writes = 0;
    output.on('data', () => {
      writes += 1;
    });
    for (let index = 0; index < 100; index += 1) void transport.send({ jsonrpc: '2.0', method: 'a' });
    await step();
    expect(writes).toBe(1);
  });

  it('keeps sending after the peer has ended its side', async () => {
    const { transport, input, written } = open('newline');
    const recorder = new Recorder(transport);
    input.end('{"n":1}');
    await recorder.closed();
    expect(recorder.deliveries.map(({ kind }) => kind)).toEqual(['message', 'close']);
    void transport.send({ jsonrpc: '2.0', method: 'a' });
    await step();
    expect(written()).toBe('{"jsonrpc":"2.0","method":"a"}\n');
  });

  it('fails with the error of its input, after what came before', async () => {
    const { transport, input } = open('newline');
    const recorder = new Recorder(transport);
    input.write('{"n":1}\n');
    await recorder.messages(1);
    const error = new Error('read ECONNRESET');
    input.destroy(error);
    await recorder.closed();
    expect(recorder.closes).toEqual([{ kind: 'failed', error }]);
    expect(() => transport.send({ jsonrpc: '2.0', method: 'a' })).toThrow(/closed/);
  });

  it('fails when its output breaks and no more input comes', async () => {
    const { transport, output } = open('newline');
    const recorder = new Recorder(transport);
    const error = new Error('write EPIPE');
    output.destroy(error);
    await recorder.closed();
    expect(recorder.closes).toEqual([{ kind: 'failed', error }]);
  });

  it('closes in good time although the peer reads nothing', async () => {
    const output = new PassThrough({ highWaterMark: 1 });
    const transport = new StreamTransport({ readable: new PassThrough(), writable: output }, { closeTimeoutMs: 20 });
    void transport.send({ jsonrpc: '2.0', method: 'x'.repeat(100_000) });
    await transport.close();
    expect(output.destroyed).toBe(true);
  });
});

function open(framing: Framing) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StreamTransport({ readable: input, writable: output }, { framing });
  return { transport, input, output, written: () => String(output.read() ?? '') };
}

function step(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
