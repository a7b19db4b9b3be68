import { NAUGHTY_STRINGS } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import { openListening } from '../../../test/listen/listening.ts';

const POST = '/acp/post';
const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };

describe('plain POST', () => {
  it('answers a request in the body of its response, and takes the rest without one', async () => {
    await using listening = await openListening();
    const opened = await listening.ask({ path: POST, body: initialize });
    expect(opened.status).toBe(200);
    const connection = { 'acp-connection-id': String(opened.headers['acp-connection-id']) };
    const request = { jsonrpc: '2.0', id: 'a', method: 'session/list', params: { x: 1 } };
    const answered = await listening.ask({ path: POST, headers: connection, body: request });
    expect(answered).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answered.text)).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: { method: 'session/list', params: { x: 1 } },
    });
    const note = { jsonrpc: '2.0', method: 'session/cancel' };
    expect(await listening.ask({ path: POST, headers: connection, body: note })).toMatchObject({
      status: 202,
      text: '',
    });
    const answer = { jsonrpc: '2.0', id: 9, result: {} };
    expect((await listening.ask({ path: POST, headers: connection, body: answer })).status).toBe(204);
    expect(listening.accepted).toMatchObject([{ via: 'post' }]);
  });

  it('serves a client that knows nothing of connections by the one that it initialized last', async () => {
    await using listening = await openListening();
    expect((await listening.ask({ path: POST, body: { ...initialize, method: 'session/list' } })).status).toBe(400);
    await listening.ask({ path: POST, body: initialize });
    await listening.ask({ path: POST, body: initialize });
    expect((await listening.ask({ path: POST, body: { ...initialize, id: 1, method: 'session/list' } })).status).toBe(
      200,
    );
    const unknown = await listening.ask({ path: POST, headers: { 'acp-connection-id': 'x' }, body: initialize });
    expect(unknown.status).toBe(404);
    expect(listening.accepted).toHaveLength(2);
  });

  it('answers many requests at once, each in its own response', async () => {
    await using listening = await openListening();
    await listening.ask({ path: POST, body: initialize });
    const answers = await Promise.all(
      NAUGHTY_STRINGS.map((text, id) =>
        listening.ask({ path: POST, body: { jsonrpc: '2.0', id, method: 'echo', params: { text } } }),
      ),
    );
    const texts = answers.map(({ text }) => JSON.parse(text).result.params.text);
    expect(texts).toEqual(NAUGHTY_STRINGS);
  });

  it('refuses questions of the agent at once, and counts what could not be given to the client', async () => {
    await using listening = await openListening();
    await listening.ask({ path: POST, body: initialize });
    const [accepted] = listening.accepted;
    void accepted?.transport.send({ jsonrpc: '2.0', id: 'q', method: 'fs/read_text_file', params: {} });
    await listening.until(() => listening.received.length === 2);
    expect(listening.received[1]).toMatchObject({
      id: 'q',
      error: { code: -32601, message: expect.stringContaining('no stream') },
    });
    const repeat = { jsonrpc: '2.0', id: 1, method: 'repeat', params: { times: 5 } };
    const { headers } = await listening.ask({ path: POST, body: repeat });
    expect(headers['acp-dropped-messages']).toBe('6');
  });

  it('gives it all to a client that reads a stream beside', async () => {
    await using listening = await openListening();
    await listening.ask({ path: POST, body: initialize });
    const stream = await listening.stream({ path: POST });
    const repeat = { jsonrpc: '2.0', id: 1, method: 'repeat', params: { times: 5 } };
    const { headers } = await listening.ask({ path: POST, body: repeat });
    expect(headers['acp-dropped-messages']).toBeUndefined();
    for (let n = 1; n <= 5; n += 1) expect(await stream.message()).toMatchObject({ params: { n } });
  });

  it('answers with 409 while a request of the same id waits, and with 502 when the agent goes away', async () => {
    await using listening = await openListening({}, { answers: false });
    const first = listening.ask({ path: POST, body: initialize });
    await listening.until(() => listening.received.length === 1);
    expect((await listening.ask({ path: POST, body: { ...initialize, method: 'a' } })).status).toBe(409);
    await listening.accepted[0]?.transport.close();
    expect((await first).status).toBe(502);
  });

  it('ends in good order with DELETE', async () => {
    await using listening = await openListening();
    await listening.ask({ path: POST, body: initialize });
    expect((await listening.ask({ method: 'DELETE', path: POST })).status).toBe(202);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toEqual([{ kind: 'ended' }]);
    expect((await listening.ask({ method: 'GET', path: POST })).status).toBe(400);
  });
});
