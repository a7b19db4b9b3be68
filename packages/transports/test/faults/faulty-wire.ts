import type { CloseReason, Message, Transport } from '@parley/jsonrpc';
import { createCertificates } from '@parley/testing/certificates';
import { type FaultProxy, startFaultProxy } from '@parley/testing/fault-proxy';
import { Recorder } from '@parley/testing/transport-cases';
import { httpAgent, postAgent } from '../../src/http/node/index.ts';
import { type Listener, listen } from '../../src/listen/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';

const TOKEN = 'test-token';
const certificates = createCertificates();

/** Short, so that what is dead is found out soon; a busy machine must not look dead all the same. */
const CLIENT = {
  token: TOKEN,
  proxy: false as const,
  ca: certificates.ca,
  connectTimeoutMs: 10_000,
  postTimeoutMs: 10_000,
  resumeMs: 20_000,
  silenceMs: 2500,
  pingEveryMs: 500,
  closeTimeoutMs: 1000,
};
const SERVER = { pingMs: 500, keepAliveMs: 250, sseKeepAliveMs: 250, idleMs: 2000, postIdleMs: 2000, stallMs: 5000 };

export interface Wire {
  readonly name: string;
  /** Reads from event streams that are dialled again when they are cut. */
  readonly resumes: boolean;
  /** The agent can send more than answers. */
  readonly hasStream: boolean;
  readonly isTls?: boolean;
  readonly dial: (port: number, options?: Partial<typeof CLIENT>) => NetworkAgent;
}

export const WIRES: readonly Wire[] = [
  {
    name: 'WebSocket',
    resumes: false,
    hasStream: true,
    dial: (port, options) => webSocketAgent(`ws://127.0.0.1:${port}/acp`, { ...CLIENT, ...options }),
  },
  {
    name: 'streamable HTTP over HTTP/1.1',
    resumes: true,
    hasStream: true,
    dial: (port, options) => httpAgent(`http://127.0.0.1:${port}/acp`, { ...CLIENT, ...options }),
  },
  {
    name: 'streamable HTTP over HTTP/2',
    resumes: true,
    hasStream: true,
    isTls: true,
    dial: (port, options) => httpAgent(`https://127.0.0.1:${port}/acp`, { ...CLIENT, ...options }),
  },
  {
    name: 'HTTP+SSE',
    resumes: true,
    hasStream: true,
    dial: (port, options) => sseAgent(`http://127.0.0.1:${port}/acp`, { ...CLIENT, ...options }),
  },
  {
    name: 'plain POST',
    resumes: false,
    hasStream: false,
    dial: (port, options) => postAgent(`http://127.0.0.1:${port}/acp/post`, { ...CLIENT, ...options }),
  },
];

/** A client and a server of ours with the proxy between them. The server answers each request with its params. */
export interface FaultyWire extends AsyncDisposable {
  readonly listener: Listener;
  readonly proxy: FaultProxy;
  /** The server's side of each connection, and how each ended. */
  readonly accepted: Transport[];
  readonly ends: CloseReason[];
  /** Dials, and sends `initialize`; resolves when that is answered. */
  dial(options?: Partial<typeof CLIENT>): Promise<Client>;
  /** Dials and sends `initialize`; resolves with the error that this ends in. */
  failToDial(options?: Partial<typeof CLIENT>): Promise<unknown>;
}

export interface Client {
  readonly transport: Transport;
  readonly recorder: Recorder;
  /** Resolves with the result, or rejects with why the wire has ended. */
  ask(id: string, params?: unknown): Promise<unknown>;
}

export async function openFaultyWire(wire: Wire): Promise<FaultyWire> {
  const listener = await listen({ token: TOKEN, limits: SERVER, ...(wire.isTls && { tls: certificates }) });
  const proxy = await startFaultProxy({ port: listener.port });
  const [accepted, ends, clients]: [Transport[], CloseReason[], Transport[]] = [[], [], []];
  const serving = (async () => {
    for await (const { transport } of listener.connections) {
      accepted.push(transport);
      transport.onClose((reason) => ends.push(reason));
      transport.onMessage((value) => answer(transport, value));
    }
  })();
  const open = async (options?: Partial<typeof CLIENT>): Promise<Client> => {
    const { transport } = await wire.dial(proxy.port, options).open(new AbortController().signal);
    clients.push(transport);
    const client = createClient(transport);
    await client.ask('init', undefined);
    return client;
  };
  return {
    listener,
    proxy,
    accepted,
    ends,
    dial: open,
    failToDial: (options) =>
      open(options).then(
        () => 'no failure',
        (error: unknown) => error,
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((transport) => transport.close()));
      await proxy.close();
      await listener.close({ graceMs: 100 });
      await serving;
    },
  };
}

function createClient(transport: Transport): Client {
  const waiting = new Map<unknown, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const recorder = new Recorder(transport, (value) => {
    const { id, result, error } = value as { id?: unknown; result?: unknown; error?: unknown };
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(error);
  });
  void recorder.closed().then(() => {
    const [reason] = recorder.closes;
    for (const { reject } of waiting.values()) reject(reason?.error ?? reason);
  });
  return {
    transport,
    recorder,
    ask: (id, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        try {
          void transport.send({
            jsonrpc: '2.0',
            id,
            method: id === 'init' ? 'initialize' : 'ask',
            params: params as object,
          });
        } catch (error) {
          reject(error);
        }
      }),
  };
}

/** `never` is not answered; `large` is answered with so many characters. */
function answer(transport: Transport, value: unknown): void {
  const { id, params } = value as { id?: string; params?: { never?: boolean; large?: number } };
  if (id === undefined || params?.never) return;
  const result = params?.large === undefined ? { params } : { text: 'x'.repeat(params.large) };
  void transport.send({ jsonrpc: '2.0', id, result } as Message);
}
