/**
 * A program at the far end of a pipe that has never heard of Parley: JSON-RPC with nothing but Node, so that what it
 * says and expects is its document's and not ours.
 */
import assert from 'node:assert/strict';

export { assert };

/** Speaks on stdin and stdout, in lines, or in the framing of the first message where `mirrors` is set (S3:14). */
export function openPeer({ framing = 'lines', mirrors = false } = {}) {
  const handlers = new Map();
  const waiting = new Map();
  const updates = [];
  let output = framing;
  let lastId = 0;

  const write = (message) => {
    const text = JSON.stringify(message);
    const framed = output === 'lines' ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    process.stdout.write(framed);
  };

  const receive = async (message) => {
    if (message.method === undefined) {
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      return 'error' in message ? reject(message.error) : resolve(message.result);
    }
    if (message.method === 'session/update') updates.push(message.params.update);
    const handler = handlers.get(message.method);
    if (message.id === undefined) return handler?.(message.params);
    if (!handler) return write({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: message.method } });
    try {
      write({ jsonrpc: '2.0', id: message.id, result: await handler(message.params) });
    } catch (error) {
      if (error instanceof Error) fail(error);
      write({ jsonrpc: '2.0', id: message.id, error });
    }
  };

  readFrames((text, seen) => {
    if (mirrors && lastId === 0) output = seen;
    void receive(JSON.parse(text)).catch?.(fail);
  });

  return {
    updates,
    on: (method, handler) => handlers.set(method, handler),
    notify: (method, params) => write({ jsonrpc: '2.0', method, params }),
    request: (method, params) => {
      const id = ++lastId;
      write({ jsonrpc: '2.0', id, method, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}

/** Runs a client's part, and ends the program: well, or with what was wrong on stderr. */
export function play(part) {
  process.stdin.on('end', () => fail(new Error('The wire ended in the middle of the play.')));
  part().then(() => process.exit(0), fail);
}

function fail(error) {
  process.stderr.write(`${error?.stack ?? JSON.stringify(error)}\n`, () => process.exit(1));
}

/** Lines, or `Content-Length` frames, whichever comes. An agent ends with its input. */
function readFrames(onFrame) {
  let buffer = Buffer.alloc(0);
  process.stdin.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let frame = nextFrame(buffer); frame; frame = nextFrame(buffer)) {
      buffer = frame.rest;
      if (frame.text.trim() !== '') onFrame(frame.text, frame.framing);
    }
  });
}

function nextFrame(buffer) {
  const header = /^Content-Length: *(\d+)\r\n\r\n/i.exec(buffer.subarray(0, 100).toString('latin1'));
  if (header) {
    const end = header[0].length + Number(header[1]);
    if (buffer.length < end) return undefined;
    return {
      text: buffer.subarray(header[0].length, end).toString(),
      rest: buffer.subarray(end),
      framing: 'content-length',
    };
  }
  const newline = buffer.indexOf(10);
  if (newline < 0 || buffer.subarray(0, 15).toString().toLowerCase().startsWith('content-length')) return undefined;
  return { text: buffer.subarray(0, newline).toString(), rest: buffer.subarray(newline + 1), framing: 'lines' };
}

/** A promise and the means to keep it. */
export function promise() {
  let keep;
  const kept = new Promise((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}
