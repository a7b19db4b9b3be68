import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { exchangeRaw, INITIALIZE, TOKEN } from './raw-http.ts';
import { type ServedAgent, serveAgent } from './served-agent.ts';
import { FRAME_CASES, frame, MESSAGE_CASES, UPGRADE_CASES, upgrade } from './web-socket-cases.ts';

let served: ServedAgent;
beforeAll(async () => {
  served = await serveAgent();
});
afterAll(async () => {
  await served.serveGoodClient();
  await served[Symbol.asyncDispose]();
});

describe('what is wrong with an upgrade', () => {
  it.each(UPGRADE_CASES)('$title', async ({ send, expects }) => {
    const { statuses } = await exchangeRaw(served.listener.port, send as Uint8Array);
    expect(statuses).toEqual(expects);
    expect(await initializeOver(served.listener.port)).toBe(true);
  });
});

describe('what is wrong with a frame', () => {
  it.each(FRAME_CASES)('$title', async ({ send, code }) => {
    expect(await closeCodeAfter(served.listener.port, send)).toBe(code);
    expect(await initializeOver(served.listener.port)).toBe(true);
  });
});

describe('what is wrong with a message', () => {
  it.each(MESSAGE_CASES)('$title', async ({ send, answers }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${served.listener.port}/acp`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const codes: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => {
        for (const text of send) socket.send(text);
      });
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
      socket.on('message', (data) => {
        codes.push(JSON.parse(String(data)).error?.code);
        if (codes.length === answers.length) resolve();
      });
    });
    socket.removeAllListeners('close');
    socket.close();
    expect(codes).toEqual(answers);
    expect(await initializeOver(served.listener.port)).toBe(true);
  });
});

/** Whether a client that does it right is served. */
async function initializeOver(port: number): Promise<boolean> {
  return (await closeCodeAfter(port, Buffer.alloc(0))) === undefined;
}

/** The code of the server's close, or undefined when it still answers `initialize` after what was sent. */
async function closeCodeAfter(port: number, bytes: Uint8Array): Promise<number | undefined> {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.write(upgrade());
  const answer = frame({ payload: Buffer.from(INITIALIZE) });
  const code = await new Promise<number | undefined>((resolve) => {
    let isOpen = false;
    socket.once('close', () => resolve(closeCodeIn(received)));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const head = received.indexOf('\r\n\r\n');
      if (!isOpen && head >= 0) {
        isOpen = true;
        received = received.subarray(head + 4);
        socket.write(bytes);
        socket.write(answer);
      }
      if (received.includes('"protocolVersion"')) resolve(undefined);
    });
  });
  socket.destroy();
  return code;
}

/** 1005 when the close has no code, 1006 when there is none. */
function closeCodeIn(frames: Buffer): number {
  for (let at = 0; at + 2 <= frames.length; ) {
    const [first, second] = [frames[at] ?? 0, frames[at + 1] ?? 0];
    const head = second < 126 ? 2 : second === 126 ? 4 : 10;
    const length =
      second < 126 ? second : second === 126 ? frames.readUInt16BE(at + 2) : Number(frames.readBigUInt64BE(at + 2));
    if ((first & 0x0f) === 8) return length >= 2 ? frames.readUInt16BE(at + head) : 1005;
    at += head + length;
  }
  return 1006;
}
