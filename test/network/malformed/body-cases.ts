import { get, INITIALIZE, type Known, post, type RawCase, type RequestParts } from './raw-http.ts';

const initialize = JSON.parse(INITIALIZE) as Record<string, unknown>;
const { id: _, ...withoutId } = initialize;

/** What is posted instead of one JSON-RPC message. */
export const BODY_CASES: readonly RawCase[] = [
  ...['', ' ', '{', '}', 'null', 'true', '7', '"initialize"', 'undefined', "{'a':1}", '{"a":1}x', '[1', 'NaN'].map(
    (body) => posted(`the body ${JSON.stringify(body)}`, body, 400),
  ),
  posted('a batch', [initialize], 501),
  posted('an empty batch', [], 501),
  posted('a batch of batches', [[initialize]], 501),
  posted('an empty object', {}, 400),
  posted('1,001 levels', `${'['.repeat(1001)}${']'.repeat(1001)}`, 413),
  posted(
    '1,001 levels in a message',
    `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}}`,
    413,
  ),
  { title: 'bytes that are no UTF-8', send: post({ body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]) }), expects: [400] },
  { title: 'UTF-16', send: post({ body: Buffer.from(INITIALIZE, 'utf16le') }), expects: [400] },
  {
    title: 'a body that says it is gzip',
    send: post({ lines: ['Content-Encoding: gzip'], body: Buffer.from('1f8b0800', 'hex') }),
    expects: [400],
  },
  posted('initialize without an id', withoutId, 400),
  posted('an id above 2^53, which would be answered rounded', { ...initialize, id: 1e300 }, 400),
  posted('initialize with the id null', { ...initialize, id: null }, 400),
  posted('initialize of another JSON-RPC', { ...initialize, jsonrpc: '1.0' }, 400),
  posted('a method that is a number', { ...initialize, method: 7 }, 400),
  posted('a request before initialize', { ...initialize, method: 'session/new' }, 400),
  ...[0, -1, 1.5, '', 'x', 'é', '__proto__'].map((id) =>
    posted(`the id ${JSON.stringify(id)}`, { ...initialize, id }, 200),
  ),
  ...[true, false, {}, []].map((id) =>
    posted(`the id ${JSON.stringify(id)}, which JSON-RPC does not have`, { ...initialize, id }, 400),
  ),
  posted('an id of 2,000 characters', { ...initialize, id: 'x'.repeat(2000) }, 400),
];

/** Requests of streamable HTTP that do not fit the connection they name. */
export const ROUTING_CASES: readonly RawCase[] = [
  request('a connection that is not', { lines: ['Acp-Connection-Id: 00000000-0000-0000-0000-000000000000'] }, 404),
  request('an empty connection', { lines: ['Acp-Connection-Id: '] }, 400),
  request('a connection of 5,000 characters', { lines: [`Acp-Connection-Id: ${'x'.repeat(5000)}`] }, 404),
  request('the connection __proto__', { lines: ['Acp-Connection-Id: __proto__'] }, 404),
  known(
    'two connections',
    ({ connectionId }) => ({ body: list(), lines: [`Acp-Connection-Id: ${connectionId}`, 'Acp-Connection-Id: x'] }),
    404,
  ),
  known('initialize again', ({ connectionId }) => ({ lines: [`Acp-Connection-Id: ${connectionId}`] }), 400),
  known(
    'a prompt without the session',
    ({ connectionId, sessionId }) => ({ body: prompt(sessionId), lines: [`Acp-Connection-Id: ${connectionId}`] }),
    400,
  ),
  known(
    'a prompt with another session',
    ({ connectionId, sessionId }) => ({
      body: prompt(sessionId),
      lines: [`Acp-Connection-Id: ${connectionId}`, 'Acp-Session-Id: other'],
    }),
    400,
  ),
  known(
    'a prompt with two sessions',
    ({ connectionId, sessionId }) => ({
      body: prompt(sessionId),
      lines: [`Acp-Connection-Id: ${connectionId}`, `Acp-Session-Id: ${sessionId}`, 'Acp-Session-Id: other'],
    }),
    400,
  ),
  known(
    'a session of 2,000 characters',
    ({ connectionId }) => ({
      body: list(),
      lines: [`Acp-Connection-Id: ${connectionId}`, `Acp-Session-Id: ${'x'.repeat(2000)}`],
    }),
    400,
  ),
  known(
    'a request whose id has 2,000 characters',
    ({ connectionId }) => ({
      body: JSON.stringify({ ...JSON.parse(list()), id: 'x'.repeat(2000) }),
      lines: [`Acp-Connection-Id: ${connectionId}`],
    }),
    400,
  ),
  asked('a stream of no connection', 'GET /acp HTTP/1.1', ['Accept: text/event-stream'], 400),
  asked(
    'a stream of a connection that is not',
    'GET /acp HTTP/1.1',
    ['Accept: text/event-stream', 'Acp-Connection-Id: x'],
    404,
  ),
  asked('a GET that accepts nothing', 'GET /acp HTTP/1.1', [], 406),
  asked('a GET that accepts a page', 'GET /acp HTTP/1.1', ['Accept: text/html'], 406),
  ...['x', '-1', '1.5', '0x1', '99999999999999999999', '1, 2'].map((last) => ({
    title: `the last event "${last}"`,
    send: ({ connectionId }: Known) =>
      get('GET /acp HTTP/1.1', [
        'Accept: text/event-stream',
        `Acp-Connection-Id: ${connectionId}`,
        `Last-Event-ID: ${last}`,
      ]),
    expects: [400],
  })),
  {
    title: 'an event that has never been',
    send: ({ connectionId }) =>
      get('GET /acp HTTP/1.1', [
        'Accept: text/event-stream',
        `Acp-Connection-Id: ${connectionId}`,
        'Last-Event-ID: 77',
      ]),
    expects: [410],
  },
  asked('the end of no connection', 'DELETE /acp HTTP/1.1', [], 400),
  asked('the end of a connection that is not', 'DELETE /acp HTTP/1.1', ['Acp-Connection-Id: x'], 404),
  request('HTTP+SSE without a client', { line: 'POST /acp/rpc HTTP/1.1' }, 400),
  request('HTTP+SSE with an empty client', { line: 'POST /acp/rpc?client_id= HTTP/1.1' }, 400),
  request('HTTP+SSE with a client of spaces', { line: 'POST /acp/rpc?client_id=%20%20 HTTP/1.1' }, 400),
  request(
    'HTTP+SSE with a client of 2,000 characters',
    { line: `POST /acp/rpc?client_id=${'x'.repeat(2000)} HTTP/1.1` },
    400,
  ),
  request(
    'HTTP+SSE with another JSON-RPC',
    { line: 'POST /acp/rpc?client_id=c HTTP/1.1', body: '{"id":1,"method":"initialize"}' },
    400,
  ),
  request('HTTP+SSE with a batch', { line: 'POST /acp/rpc?client_id=c HTTP/1.1', body: '[]' }, 501),
  request('HTTP+SSE on the wrong path', { line: 'POST /acp/sse?client_id=c HTTP/1.1' }, 405),
  asked('HTTP+SSE with GET on the wrong path', 'GET /acp/rpc?client_id=c HTTP/1.1', [], 405),
  asked('a stream of HTTP+SSE without a client', 'GET /acp/sse HTTP/1.1', [], 400),
  request(
    'plain POST before initialize, on a connection that is not',
    { line: 'POST /acp/post HTTP/1.1', lines: ['Acp-Connection-Id: x'], body: list() },
    404,
  ),
  request('plain POST of a batch', { line: 'POST /acp/post HTTP/1.1', body: '[]' }, 501),
  asked('plain POST by GET, without a stream', 'GET /acp/post HTTP/1.1', [], 400),
];

function posted(title: string, body: unknown, status: number): RawCase {
  return request(title, { body: typeof body === 'string' ? body : JSON.stringify(body) }, status);
}

function request(title: string, parts: RequestParts, status: number): RawCase {
  const isNamed = parts.lines?.some((line) => line.startsWith('Acp-')) && parts.body === undefined;
  return { title, send: post(isNamed ? { ...parts, body: list() } : parts), expects: [status] };
}

function known(title: string, parts: (known: Known) => RequestParts, status: number): RawCase {
  return { title, send: (given) => post(parts(given)), expects: [status] };
}

function asked(title: string, line: string, lines: readonly string[], status: number): RawCase {
  return { title, send: get(line, lines), expects: [status] };
}

function list(): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/list', params: {} });
}

function prompt(sessionId: string): string {
  const params = { sessionId, prompt: [{ type: 'text', text: 'hello' }] };
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'session/prompt', params });
}
