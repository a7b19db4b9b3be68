import { connect } from 'node:http2';
import { text as readText } from 'node:stream/consumers';
import { JSON_CASES } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import { openListening, TOKEN } from '../../../test/listen/listening.ts';

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const request = { jsonrpc: '2.0', id: 1, method: 'session/list', params: {} };

describe('streamable HTTP', () => {
  it('answers initialize in the body, with the id of the connection there and in the header', async () => {
    await using listening = await openListening();
    const { status, headers, text } = await listening.ask({ body: initialize });
    expect(status).toBe(200);
    expect(headers['acp-connection-id']).toMatch(/^[0-9a-f-]{36}$/);
    const result = { method: 'initialize', params: {}, connectionId: headers['acp-connection-id'] };
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 0, result });
    expect(listening.accepted).toMatchObject([{ via: 'http', principal: 'local', remote: '127.0.0.1' }]);
  });

  it('answers all other requests with 202, and then on the stream where they belong', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const session = { ...connection, 'acp-session-id': 's1' };
    const ofConnection = await listening.stream({ headers: connection });
    const ofSession = await listening.stream({ headers: session });
    const prompt = { jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { sessionId: 's1' } };
    const load = { jsonrpc: '2.0', id: 3, method: 'session/load', params: { sessionId: 's1' } };
    expect(await listening.ask({ headers: connection, body: request })).toMatchObject({ status: 202, text: '' });
    expect(await ofConnection.message()).toMatchObject({ id: 1 });
    expect((await listening.ask({ headers: session, body: prompt })).status).toBe(202);
    expect(await ofSession.message()).toMatchObject({ id: 2 });
    expect((await listening.ask({ headers: session, body: load })).status).toBe(202);
    expect(await ofConnection.message()).toMatchObject({ id: 3 });
  });

  it('holds the answer to a load until the replay has left on the stream of the session', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const session = { ...connection, 'acp-session-id': 's1' };
    const ofConnection = await listening.stream({ headers: connection });
    const ofSession = await listening.stream({ headers: session });
    const [{ transport } = never()] = listening.accepted;
    transport.onMessage((value) => {
      const { id, method } = value as { id: number; method: string };
      // More than any system keeps between the two.
      const times = method === 'session/load' ? 30 : 0;
      const big = 'x'.repeat(1_000_000);
      for (let n = 0; n < times; n += 1) void transport.send(note({ sessionId: 's1', big }));
      void transport.send({ jsonrpc: '2.0', id, result: {} });
    });
    const load = { jsonrpc: '2.0', id: 3, method: 'session/load', params: { sessionId: 's1' } };
    await listening.ask({ headers: session, body: load });
    await listening.ask({ headers: connection, body: request });
    expect(await ofConnection.message()).toMatchObject({ id: 1 });
    for (let n = 0; n < 30; n += 1) await ofSession.message();
    expect(await ofConnection.message()).toMatchObject({ id: 3 });
  });

  it('answers a load on the stream of the session, behind the replay, where the client wants it in order', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const session = { ...connection, 'acp-session-id': 's1' };
    const ofSession = await listening.stream({ headers: session });
    const load = { jsonrpc: '2.0', id: 3, method: 'session/load', params: { sessionId: 's1' } };
    await listening.ask({ headers: { ...session, accept: 'application/json; load=session' }, body: load });
    expect(await ofSession.message()).toMatchObject({ id: 3 });
  });

  it.each([
    ['no JSON type', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415, /application\/json/],
    ['no JSON', { body: '{' }, 400, /^Invalid JSON: not valid JSON/],
    ['malformed UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, /^Invalid JSON: the body is not UTF-8/],
    ['a batch', { body: [initialize] }, 501, /-32600/],
    ['an id that was rounded', { body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}' }, 400, /beyond 2\^53/],
    ['no object', { body: '7' }, 400, /^Invalid JSON-RPC message/],
    ['initialize again', { headers: { 'acp-connection-id': 'x' }, body: initialize }, 400, /^Initialize not allowed/],
    ['initialize without an id', { body: { ...initialize, id: null } }, 400, /must include an ID/],
    ['no connection', { body: request }, 400, /^Missing Acp-Connection-Id/],
    ['an unknown connection', { headers: { 'acp-connection-id': 'x' }, body: request }, 404, /^Unknown Acp-Conn/],
    ['a stream of no connection', { method: 'GET' }, 400, /^Missing Acp-Connection-Id/],
    ['a stream of an unknown one', { method: 'GET', headers: { 'acp-connection-id': 'x' } }, 404, /^Unknown Acp-Conn/],
    ['a GET of something else', { method: 'GET', headers: { accept: 'text/html' } }, 406, /^Not Acceptable/],
    ['the end of no connection', { method: 'DELETE' }, 400, /^Missing Acp-Connection-Id/],
    ['the end of an unknown one', { method: 'DELETE', headers: { 'acp-connection-id': 'x' } }, 404, /^Unknown/],
    ['another method', { method: 'PUT' }, 405, /^Method Not Allowed/],
    ['HEAD', { method: 'HEAD' }, 405, /^$/],
    ['another path', { path: '/' }, 404, /^Not Found/],
  ])('refuses %s', async (_, asked, status, text) => {
    await using listening = await openListening();
    const answered = await listening.ask(asked);
    expect(answered.status).toBe(status);
    expect(answered.text).toMatch(text);
    if (status === 405) expect(answered.headers.allow).toBe('GET, POST, DELETE, OPTIONS');
    expect(listening.accepted).toEqual([]);
  });

  it('understands a target in absolute form, whose host counts in place of Host', async () => {
    await using listening = await openListening();
    const body = JSON.stringify(initialize);
    const answers = await Promise.all(
      ['http://localhost/acp', 'HTTP://127.0.0.1:80/acp?x=1', 'http://evil.example/acp', 'http://localhost'].map(
        async (target) => {
          const socket = await listening.socket();
          const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
          socket.write(
            `${head}Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          return (await readText(socket)).split(' ')[1];
        },
      ),
    );
    expect(answers).toEqual(['200', '200', '403', '404']);
  });

  it('wants the session in the header, and the same as in the message', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const prompt = { jsonrpc: '2.0', id: 2, method: 'session/prompt', params: { sessionId: 's1' } };
    const missing = await listening.ask({ headers: connection, body: prompt });
    expect(missing).toMatchObject({ status: 400, text: 'Missing Acp-Session-Id\n' });
    const other = await listening.ask({ headers: { ...connection, 'acp-session-id': 's2' }, body: prompt });
    expect(other).toMatchObject({ status: 400, text: 'Mismatched Acp-Session-Id\n' });
    const long = await listening.ask({ headers: { ...connection, 'acp-session-id': 's'.repeat(1025) }, body: prompt });
    expect(long.status).toBe(400);
  });

  it('wants the session of a question with its answer', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const [{ transport } = never()] = listening.accepted;
    void transport.send({ jsonrpc: '2.0', id: 'q', method: 'session/request_permission', params: { sessionId: 's1' } });
    const answer = { jsonrpc: '2.0', id: 'q', result: {} };
    expect((await listening.ask({ headers: connection, body: answer })).status).toBe(400);
    const wrong = { ...connection, 'acp-session-id': 's2' };
    expect((await listening.ask({ headers: wrong, body: answer })).status).toBe(400);
    const right = { ...connection, 'acp-session-id': 's1' };
    expect((await listening.ask({ headers: right, body: answer })).status).toBe(202);
    await listening.until(() => listening.received.some((each) => (each as { id: unknown }).id === 'q'));
  });

  it('ends with DELETE, in good order on both sides', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const stream = await listening.stream({ headers: connection });
    expect((await listening.ask({ method: 'DELETE', headers: connection })).status).toBe(202);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toEqual([{ kind: 'ended' }]);
    expect(await stream.next()).toMatchObject({ type: 'end', data: '' });
    expect(await stream.next()).toBeUndefined();
    expect((await listening.ask({ headers: connection, body: request })).status).toBe(404);
  });

  it('goes on after the last event that was read, when a stream was cut', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const first = await listening.stream({ headers: connection });
    const repeat = { jsonrpc: '2.0', method: 'repeat', params: { times: 500 } };
    await listening.ask({ headers: connection, body: repeat });
    for (let n = 1; n <= 100; n += 1) expect(await first.message()).toMatchObject({ params: { n } });
    expect(first.lastEventId).toBe('100');
    first.cut();
    const second = await listening.stream({ headers: { ...connection, 'last-event-id': '100' } });
    for (let n = 101; n <= 500; n += 1) expect(await second.message()).toMatchObject({ params: { n } });
  });

  it('tells a reader that asks for events which are gone', async () => {
    await using listening = await openListening({ limits: { replayMessages: 10 } });
    const connection = { 'acp-connection-id': await listening.initialize() };
    const stream = await listening.stream({ headers: connection });
    await listening.ask({ headers: connection, body: { jsonrpc: '2.0', method: 'repeat', params: { times: 100 } } });
    for (let n = 1; n <= 100; n += 1) await stream.message();
    const late = await listening.ask({ method: 'GET', headers: { ...connection, 'last-event-id': '5' } });
    expect(late).toMatchObject({ status: 410, text: 'The events after 5 are no longer kept; initialize again\n' });
    expect((await listening.ask({ method: 'GET', headers: { ...connection, 'last-event-id': '101' } })).status).toBe(
      410,
    );
    expect((await listening.ask({ method: 'GET', headers: { ...connection, 'last-event-id': 'x' } })).status).toBe(400);
  });

  it('lets the newest reader take the place of the older, and tells that one', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const older = await listening.stream({ headers: connection });
    const newer = await listening.stream({ headers: connection });
    expect(await older.next()).toBeUndefined();
    expect(older.text).toContain(': replaced by a newer stream');
    await listening.ask({ headers: connection, body: request });
    expect(await newer.message()).toMatchObject({ id: 1 });
  });

  it('keeps connections of others secret', async () => {
    const authorize = ({ token }: { token: string | undefined }) => (token ? { principal: token } : undefined);
    await using listening = await openListening({ authorize });
    const connection = { 'acp-connection-id': await listening.initialize() };
    const thief = { ...connection, authorization: 'Bearer thief' };
    expect((await listening.ask({ headers: thief, body: request })).status).toBe(404);
    expect((await listening.ask({ method: 'GET', headers: thief })).status).toBe(404);
    expect((await listening.ask({ method: 'DELETE', headers: thief })).status).toBe(404);
    expect((await listening.ask({ headers: connection, body: request })).status).toBe(202);
  });

  it('ends a connection whose client leaves before initialize is answered', async () => {
    await using listening = await openListening({}, { answers: false });
    const socket = await listening.socket();
    const body = JSON.stringify(initialize);
    const head = `POST /acp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    await listening.until(() => listening.received.length === 1);
    socket.destroy();
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind: 'failed', error: { kind: 'dropped' } }]);
  });

  it('answers initialize with 500 when the agent goes away instead', async () => {
    await using listening = await openListening({}, { answers: false });
    const asked = listening.ask({ body: initialize });
    await listening.until(() => listening.received.length === 1);
    await listening.accepted[0]?.transport.close();
    expect(await asked).toMatchObject({ status: 500, text: expect.stringContaining('Initialize failed') });
  });

  it('gives the right verdict on all of JSONTestSuite, as a body', async () => {
    await using listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    expect(JSON_CASES).toHaveLength(318);
    const wrong: string[] = [];
    for (const { name, verdict, bytes } of JSON_CASES) {
      const body = Buffer.concat([Buffer.from('{"value":'), bytes, Buffer.from('}')]);
      const { status } = await listening.ask({ headers: connection, body });
      if (verdict === 'accept' && status !== 202) wrong.push(`${name}: ${status}`);
      // Too deep is refused as too large.
      if (verdict === 'reject' && status !== 400 && status !== 413) wrong.push(`${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('speaks HTTP/2 by prior knowledge: posts and streams on one socket', async () => {
    await using listening = await openListening();
    const session = connect(`http://127.0.0.1:${listening.listener.port}`);
    const ask = (headers: Record<string, string>, body?: unknown) => {
      const stream = session.request({ ':path': '/acp', authorization: `Bearer ${TOKEN}`, ...headers });
      stream.setEncoding('utf8');
      stream.end(body === undefined ? undefined : JSON.stringify(body));
      return stream;
    };
    const json = { ':method': 'POST', 'content-type': 'application/json' };
    const opened = ask(json, initialize);
    const connectionId = await new Promise<string>((resolve) =>
      opened.once('response', (headers) => resolve(String(headers['acp-connection-id']))),
    );
    const events = ask({ accept: 'text/event-stream', 'acp-connection-id': connectionId });
    const seen = new Promise<string>((resolve) => {
      let text = '';
      events.on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('"id":1')) resolve(text);
      });
    });
    ask({ ...json, 'acp-connection-id': connectionId }, request);
    expect(await seen).toContain('id: 1\ndata: {"jsonrpc":"2.0","id":1');
    session.destroy();
  });
});

function note(params: unknown) {
  return { jsonrpc: '2.0' as const, method: 'note', params };
}

function never(): never {
  throw new Error('There is no connection.');
}
