import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReplyChooser } from './choose-reply.ts';
import { modelList } from './model-list.ts';
import { playReply, wholeReply } from './play-reply.ts';
import { createPrefixCheck, findCommonFault, type PrefixCheck } from './provider-rules.ts';
import type { ErrorReply, PlainReply, Reply } from './script.ts';
import { wireFor } from './wires/index.ts';
import { asJson, ERROR_STATUS, type FakeWire, type Json, type RequestSummary } from './wires/wire.ts';
import type { WireName } from './wires/wire-name.ts';

export interface FakeModelServerOptions {
  /** The replies, in order; default: none. */
  readonly script?: readonly Reply[];
  /** What a request gets that no reply is left for. Default: HTTP 400 with an explanation. */
  readonly fallback?: Reply;
  /** Default: any free port. */
  readonly port?: number;
  /** Requests without this key get 401. Default: every key is good. */
  readonly apiKey?: string;
  /** Refuse histories that the real provider would refuse. Default: true. */
  readonly strict?: boolean;
  /** The names on `/v1/models` and `/api/tags`. Default: `fake-model`. */
  readonly models?: readonly string[];
  /** Called with each request as it arrives. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** One request as the server saw it. */
export interface RecordedRequest extends RequestSummary {
  readonly wire: WireName;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Json;
  /** `aborted` when the client left before the answer was complete. */
  readonly ended: Promise<'complete' | 'aborted'>;
}

export interface FakeModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a version: each driver adds its own. */
  readonly url: string;
  /** Every request for an answer so far. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the request of this number, counted from 0, as soon as it is there. */
  waitForRequest(index: number): Promise<RecordedRequest>;
  /** Adds replies to the script. */
  add(...replies: readonly Reply[]): void;
  /** Forgets the replies that nobody has asked for. */
  clear(): void;
  close(): Promise<void>;
}

/** Starts a scripted model server on loopback that speaks all four wire formats over real sockets. */
export async function startFakeModelServer(options: FakeModelServerOptions = {}): Promise<FakeModelServer> {
  const { script = [], fallback, port = 0, models = ['fake-model'], onRequest } = options;
  const chooser = createReplyChooser(script, fallback);
  const prefixCheck = createPrefixCheck();
  const requests: RecordedRequest[] = [];
  const waiting: { readonly index: number; readonly resolve: (request: RecordedRequest) => void }[] = [];
  let callCount = 0;

  const record = (request: RecordedRequest): void => {
    requests.push(request);
    onRequest?.(request);
    for (const { index, resolve } of waiting) if (index === requests.length - 1) resolve(request);
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '/';
    if (incoming.method === 'GET') return sendJson(response, ...modelList(path, models));
    const body = asJson(parse(await readBody(incoming)));
    const wire = wireFor(path);
    if (wire === undefined) return sendJson(response, 404, { error: { message: `No such endpoint: ${path}` } });
    if (/count_?tokens/i.test(path)) return sendJson(response, 200, { input_tokens: 10, totalTokens: 10 });
    const summary = wire.summarize(body, path);
    record({ ...summary, wire: wire.name, path, headers: incoming.headers, body, ended: endOf(response) });
    const refusal = refusalFor(wire, { body, headers: incoming.headers, options, prefixCheck });
    const reply = refusal ?? chooser.choose({ wire: wire.name, summary });
    if (wire.name === 'anthropic') prefixCheck.bind(body, signaturesOf(reply));
    await sendReply(reply, { response, wire, summary, nextCallId: () => `call_${++callCount}` });
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${actualPort}`,
    requests,
    waitForRequest(index) {
      const known = requests[index];
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ index, resolve }));
    },
    add: (...replies) => chooser.add(replies),
    clear: () => chooser.clear(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Refusable {
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly options: FakeModelServerOptions;
  readonly prefixCheck: PrefixCheck;
}

function refusalFor(wire: FakeWire, { body, headers, options, prefixCheck }: Refusable): ErrorReply | undefined {
  const { apiKey, strict = true } = options;
  if (apiKey !== undefined && wire.apiKey(headers) !== apiKey) return { error: 'auth', message: 'invalid API key' };
  const fault = strict ? (findCommonFault(body) ?? wire.findFault(body) ?? prefixCheck.findFault(body)) : undefined;
  return fault === undefined ? undefined : { error: 'invalid_request', message: fault };
}

function signaturesOf(reply: PlainReply): readonly string[] {
  const events = 'events' in reply ? reply.events : [];
  return events.flatMap((event) => (event.type === 'thought' && event.signature ? [event.signature] : []));
}

interface Sending {
  readonly response: ServerResponse;
  readonly wire: FakeWire;
  readonly summary: RequestSummary;
  readonly nextCallId: () => string;
}

async function sendReply(reply: PlainReply, sending: Sending): Promise<void> {
  const { response, wire, summary, nextCallId } = sending;
  if ('error' in reply) return sendError(reply, sending);
  if ('hang' in reply) {
    if (reply.hang === 'headers') return;
    const isError = reply.hang === 'error';
    response.writeHead(isError ? 500 : 200, { 'content-type': isError ? 'application/json' : 'text/event-stream' });
    if (isError) response.write('{"error": {"message": "Something');
    else response.flushHeaders();
    return;
  }
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': reply.contentType ?? 'text/plain' });
    response.end(reply.body);
    return;
  }
  if (summary.isStreaming) return playReply({ response, wire, model: summary.model, reply, nextCallId });
  sendJson(response, 200, wire.whole(wholeReply(reply, nextCallId), summary.model));
}

function sendError(reply: ErrorReply, { response, wire }: Sending): void {
  const usual = reply.error === 'overloaded' && wire.name === 'anthropic' ? 529 : ERROR_STATUS[reply.error];
  const { status = usual, message = MESSAGES[reply.error], retryAfterSeconds } = reply;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  sendJson(response, status, wire.errorBody(reply.error, message, status));
}

const MESSAGES: Readonly<Record<ErrorReply['error'], string>> = {
  rate_limit: 'Rate limit reached for requests',
  overloaded: 'Overloaded',
  server: 'Internal server error',
  auth: 'invalid API key',
  quota: 'You exceeded your current quota (insufficient_quota), check your billing details',
  context_too_long: 'prompt is too long: 210000 tokens > 200000 maximum (context_length_exceeded)',
  invalid_request: 'invalid request',
  not_found: 'The model does not exist',
};

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function endOf(response: ServerResponse): Promise<'complete' | 'aborted'> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'complete' : 'aborted'));
  });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
