import { get, INITIALIZE, post, type RawCase, type RequestParts } from './raw-http.ts';

/** Request lines and targets. */
export const LINE_CASES: readonly RawCase[] = [
  ...['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY'].map((method) =>
    changed(`the method ${method}`, { line: `${method} /acp HTTP/1.1` }, 405),
  ),
  changed('a method that HTTP does not know', { line: 'FOO /acp HTTP/1.1' }, 400),
  changed('a method in lower case', { line: 'post /acp HTTP/1.1' }, 400),
  changed('a line without a target', { line: 'POST HTTP/1.1' }, 400),
  changed('a line without a version', { line: 'POST /acp' }, 505),
  changed('an empty line', { line: '' }, 400),
  changed('CONNECT', { line: 'CONNECT /acp HTTP/1.1' }),
  changed('CONNECT to somewhere else', { line: 'CONNECT evil.example:443 HTTP/1.1' }),
  ...['HTTP/0.9', 'HTTP/2.0'].map((version) =>
    changed(`the version ${version}`, { line: `POST /acp ${version}` }, 505),
  ),
  ...['HTTP/1.2', 'HTTP/9.9', 'HTTP/1.', 'HTTP/x.1', 'HTTQ/1.1', 'http/1.1', 'HTTP/11'].map((version) =>
    changed(`the version ${version}`, { line: `POST /acp ${version}` }, 400),
  ),
  changed('a second version', { line: 'POST /acp HTTP/1.1 HTTP/1.1' }, 400),
  ...[
    '/',
    '/acp/',
    '//acp',
    '/acp//',
    '/ACP',
    '/acp;x',
    '/%61cp',
    '/acp%00',
    '/acp%2f',
    '/acp%2Frpc',
    '/acp/x',
    '/acp/..',
    '/rpc',
  ].map((target) => changed(`the path ${target}`, { line: `POST ${target} HTTP/1.1` }, 404)),
  ...['/x/../acp', '/./acp', '/acp/.', '/x/%2e%2e/acp', '/acp/rpc/..', '/\\acp', '\\acp', '/acp\\'].map((target) =>
    changed(
      `the path ${target}, which a URL would make another`,
      { line: `POST ${target} HTTP/1.1` },
      target.startsWith('\\') ? 400 : 404,
    ),
  ),
  changed('a target of another server', { line: 'POST http://evil.example/acp HTTP/1.1' }, 403),
  changed('a target without a slash', { line: 'POST acp HTTP/1.1' }, 400),
  changed('a target with a space', { line: 'POST /a cp HTTP/1.1' }, 400),
  changed('a target with a control character', { line: 'POST /acp\x01 HTTP/1.1' }, 400),
  changed('a target with U+0000', { line: 'POST /acp\0 HTTP/1.1' }, 400),
  changed('a target of 20,000 characters', { line: `POST /${'a'.repeat(20_000)} HTTP/1.1` }, 431),
  { title: 'the asterisk', send: get('OPTIONS * HTTP/1.1'), expects: [204] },
  {
    title: 'the preface of HTTP/2 and then HTTP/1.1',
    send: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${text(post())}`,
    expects: [],
  },
  { title: 'no HTTP at all', send: 'hello, is this the agent?\r\n\r\n', expects: [400] },
  { title: 'JSON-RPC without HTTP', send: `${INITIALIZE}\n`, expects: [400] },
  { title: 'a TLS hello', send: Buffer.from('16030100a5010000a10303', 'hex'), expects: [400] },
];

/** Who is asked, from which page, and by whom. */
export const GUARD_CASES: readonly RawCase[] = [
  changed('no Host', { host: null }, 400),
  changed('two Hosts', { lines: ['Host: localhost'] }, 400),
  ...[
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil@127.0.0.1',
    '127.0.0.1@evil.example',
    'localhost, evil.example',
    'localhost:abc',
    'localhost:9999999',
    '[::1',
    '[::1]x',
    '2130706433',
    '0x7f.1',
    '127.1',
    'localhost/acp',
    'local host',
    '..localhost',
    'localhost..',
  ].map((host) => changed(`the Host "${host}"`, { host }, 403)),
  ...[
    'http://evil.example',
    'null',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1:1',
    'https://127.0.0.1',
    'http://127.0.0.1/',
    '',
    'file://',
  ].map((origin) => changed(`the Origin "${origin}"`, { lines: [`Origin: ${origin}`] }, 403)),
  changed('no token', { token: null }, 401),
  ...[
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Bearer test-toke',
    'Bearer test-token2',
    'Bearer test-token extra',
    'Basic dGVzdC10b2tlbg==',
    'test-token',
    'Bearer "test-token"',
  ].map((token) => changed(`the authorization "${token}"`, { token }, 401)),
  changed('the token in the query', { token: null, line: 'POST /acp?token=test-token HTTP/1.1' }, 401),
  changed('a path that is not, without a token', { token: null, line: 'POST /admin HTTP/1.1' }, 401),
  ...[
    null,
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json-patch+json',
    'application/json, text/plain',
    'json',
  ].map((type) => changed(`the content type ${type}`, { type }, 415)),
];

/** How long a body is, and how it is told. Whoever gets this wrong lets one request hide in another. */
export const LENGTH_CASES: readonly RawCase[] = [
  changed('a length and chunks', { lines: ['Transfer-Encoding: chunked'], body: chunked() }, 400),
  changed(
    'chunks and a length after them',
    {
      length: null,
      lines: ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      body: `${chunked()}GET /hidden HTTP/1.1\r\n\r\n`,
    },
    400,
  ),
  changed('two lengths', { lines: ['Content-Length: 3'] }, 400),
  changed('the same length twice', { lines: [`Content-Length: ${INITIALIZE.length}`] }, 400),
  ...['-1', '+5', 'abc', '1e3', '0x10', '5,5', '5 5', '99999999999999999999', '18446744073709551616'].map((length) =>
    changed(`the length "${length}"`, { length }, 400),
  ),
  changed('a length above the limit', { length: '1048577' }, 413),
  changed(
    'a body above the limit, in chunks',
    { length: null, lines: ['Transfer-Encoding: chunked'], body: chunked('x'.repeat(1_200_000)) },
    413,
  ),
  changed('a length that is too short', { length: '5' }, 400),
  changed('no length and no body', { length: null, body: '' }, 400),
  changed('a space before the colon', { length: null, lines: ['Content-Length : 5'] }, 400),
  ...[
    'gzip',
    'identity',
    'xchunked',
    'chunked, gzip',
    'chunked, chunked',
    'chunked, identity',
    '"chunked"',
    'chu\tnked',
  ].map((coding) =>
    changed(
      `the transfer encoding ${coding}`,
      { length: null, lines: [`Transfer-Encoding: ${coding}`], body: chunked() },
      400,
    ),
  ),
  changed(
    'two transfer encodings',
    { length: null, lines: ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], body: chunked() },
    400,
  ),
  changed(
    'a transfer encoding with a space before the colon',
    { length: null, lines: ['Transfer-Encoding : chunked'], body: chunked() },
    400,
  ),
  ...['zz', '-1', '0x5', '+5', 'FFFFFFFFFFFFFFFFF', '5 ;x', ' 5', ''].map((size) =>
    changed(
      `the chunk size "${size}"`,
      { length: null, lines: ['Transfer-Encoding: chunked'], body: `${size}\r\nhello\r\n0\r\n\r\n` },
      400,
    ),
  ),
  changed(
    'a chunk that is longer than it says',
    { length: null, lines: ['Transfer-Encoding: chunked'], body: '2\r\nhello\r\n0\r\n\r\n' },
    400,
  ),
  changed(
    'chunks with bare line feeds',
    { length: null, lines: ['Transfer-Encoding: chunked'], body: '5\nhello\n0\n\n' },
    400,
  ),
  changed(
    'a chunk extension of 20,000 characters',
    { length: null, lines: ['Transfer-Encoding: chunked'], body: `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n` },
    413,
  ),
  changed(
    'a request hidden behind the last chunk',
    {
      length: null,
      lines: ['Transfer-Encoding: chunked'],
      body: `${chunked()}GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    },
    400,
  ),
  changed(
    'a request hidden behind a body',
    { body: `${INITIALIZE}GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n`, length: String(INITIALIZE.length) },
    400,
  ),
];

/** The lines of a header. */
export const HEADER_CASES: readonly RawCase[] = [
  changed('bare line feeds', { lineEnd: '\n' }, 400),
  changed('bare carriage returns', { lineEnd: '\r' }, 400),
  changed('a folded line', { lines: ['X-Folded: a', ' b'] }, 400),
  changed('a line without a colon', { lines: ['nonsense'] }, 400),
  changed('a field without a name', { lines: [': value'] }, 400),
  changed('a name with a space', { lines: ['X Y: value'] }, 400),
  changed('a name with bytes above 127', { lines: ['X-\xe9: value'] }, 400),
  changed('U+0000 in a value', { lines: ['X-Zero: a\0b'] }, 400),
  changed('a carriage return in a value', { lines: ['X-Return: a\rHost: evil'] }, 400),
  changed('a field of 20,000 bytes', { lines: [`X-Long: ${'x'.repeat(20_000)}`] }, 431),
  changed('101 fields', { lines: Array.from({ length: 101 }, (_, n) => `X-${n}: x`) }, 431),
  changed('an expectation that is not', { lines: ['Expect: the-unexpected'] }, 417),
];

function changed(title: string, parts: RequestParts, ...expects: number[]): RawCase {
  return { title, send: post(parts), expects };
}

function chunked(body: string = INITIALIZE): string {
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
