/**
 * A program at the far end of a wire that has never heard of Parley: JSON-RPC with nothing but Node, so that what it
 * says and expects is its document's and not ours.
 */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { dial, openStdio, serve } from './wires.mjs';

export { assert };

/**
 * Speaks on stdin and stdout, in lines unless `framing` or `mirrors` (S3:14) say otherwise; to the address in `ADDRESS`, if there is
 * one; or as a server of the kind in `SERVES`.
 */
export function openPeer(options = {}) {
  const { ADDRESS, SERVES } = process.env;
  const handlers = new Map();
  const waiting = new Map();
  const updates = [];
  let lastId = 0;

  const receive = async (message) => {
    if (message.method === undefined) {
      const { resolve, reject } = waiting.get(message.id) ?? waiting.get('next');
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
      // What an agent throws is an answer, unless an assertion has failed.
      if (error instanceof Error) fail(error);
      else write({ jsonrpc: '2.0', id: message.id, error });
    }
  };

  const onText = (text) => void receive(JSON.parse(text)).catch(fail);
  const writeText = ADDRESS ? dial(ADDRESS, onText) : SERVES ? serve(SERVES, onText) : openStdio(options, onText);
  const write = (message) => writeText(JSON.stringify(message));

  return {
    updates,
    on: (method, handler) => handlers.set(method, handler),
    /** Resolves with the next `session/cancel`. */
    cancelled: () => new Promise((resolve) => handlers.set('session/cancel', resolve)),
    notify: (method, params) => write({ jsonrpc: '2.0', method, params }),
    /** A message as the document shows it, where that is not what JSON-RPC has. */
    write,
    request: (method, params) => {
      const id = ++lastId;
      write({ jsonrpc: '2.0', id, method, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    /** Sends a text that is no request; resolves with the answer that names no id of ours. */
    send: (text) => {
      const answered = new Promise((resolve, reject) => waiting.set('next', { resolve, reject }));
      writeText(text);
      return answered;
    },
  };
}

const failures = [];

/** Notes a flow that an agent has played, in the file of `FLOWS`. */
export function done(name) {
  if (process.env.FLOWS) appendFileSync(process.env.FLOWS, `${name}\n`);
}

/** One flow of a client's document. A flow that fails is reported, and the others go on. */
export async function flow(name, steps) {
  try {
    return await steps();
  } catch (error) {
    failures.push(`${name}: ${error?.message ?? JSON.stringify(error)}`);
    if (!(error instanceof assert.AssertionError)) throw error;
  }
}

/** Runs a client's part, and ends the program: well, or with what was wrong on stderr. */
export function play(part) {
  process.stdin.on('end', () => process.env.ADDRESS || fail(new Error('The wire ended in the middle of the play.')));
  part().then(() => (failures.length > 0 ? fail(new Error('Flows failed.')) : process.exit(0)), fail);
}

function fail(error) {
  const text = [...failures, error?.stack ?? JSON.stringify(error)].join('\n');
  process.stderr.write(`${text}\n`, () => process.exit(1));
}

/** A promise and the means to keep it. */
export function promise() {
  let keep;
  const kept = new Promise((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}
