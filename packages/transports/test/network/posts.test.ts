import { text } from 'node:stream/consumers';
import { Recorder } from '@parley/testing/transport-cases';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpAgent, postAgent } from '../../src/http/node/index.ts';
import { listen } from '../../src/listen/index.ts';
import { closeServers, serveHttp } from './odd-servers.ts';
import { INITIALIZE, never } from './wires.ts';

closeServers();

interface Received {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly error?: unknown;
}

describe('plain POST', () => {
  it('has the answers in the bodies, in the order in which they come; nobody waits for a slow one', async () => {
    const { transport, recorder } = await openPost();
    void transport.send({ jsonrpc: '2.0', id: 1, method: 'slow' });
    void transport.send({ jsonrpc: '2.0', id: 2, method: 'fast' });
    await recorder.until(() => recorder.values.some((value) => (value as Received).id === 2));
    // The notification lets the slow one go.
    void transport.send({ jsonrpc: '2.0', method: 'release' });
    await recorder.messages(3);
    expect(recorder.values.map((value) => (value as Received).id)).toEqual([INITIALIZE.id, 2, 1]);
  });

  it('sends notifications in order', async () => {
    const { transport, recorder } = await openPost();
    for (let count = 0; count < 50; count += 1)
      void transport.send({ jsonrpc: '2.0', method: 'note', params: [count] });
    await transport.whenSent?.();
    void transport.send({ jsonrpc: '2.0', id: 3, method: 'notes' });
    await recorder.messages(2);
    expect(recorder.values[1]).toMatchObject({ result: Array.from({ length: 50 }, (_, count) => count) });
  });
});

describe('what the agent sends beside answers on plain POST', () => {
  it('comes on the stream of the server, before the answer that it was sent before', async () => {
    const { transport, recorder, carriesUpdates } = await openPost();
    expect(carriesUpdates?.()).toBe(true);
    void transport.send({ jsonrpc: '2.0', id: 1, method: 'ask' });
    await recorder.until(() => recorder.values.some((value) => (value as Received).method === 'question'));
    void transport.send({ jsonrpc: '2.0', id: 'q', result: 'yes' });
    await recorder.messages(4);
    expect(recorder.values.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'update', params: {} },
      { jsonrpc: '2.0', id: 'q', method: 'question', params: {} },
      { jsonrpc: '2.0', id: 1, result: 'yes' },
    ]);
  });

  it('is not looked for where the server names no connection', async () => {
    const asked: (string | undefined)[] = [];
    const host = await serveHttp((request, response) => {
      asked.push(request.method);
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":0,"result":{}}');
    });
    const agent = postAgent(`http://${host}/api`);
    const { transport, carriesUpdates } = await agent.open(never);
    onTestFinished(() => transport.close());
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    await recorder.messages(1);
    await transport.whenSent?.();
    expect({ asked, carriesUpdates: carriesUpdates?.() }).toEqual({ asked: ['POST'], carriesUpdates: false });
  });

  it('is missed, and the answers still come, where the server names a connection and has no stream', async () => {
    const host = await serveHttp((request, response) => {
      if (request.method === 'GET') return void response.writeHead(405).end();
      response.setHeader('acp-connection-id', 'c').setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":0,"result":{}}');
    });
    const agent = postAgent(`http://${host}/api`);
    const { transport, carriesUpdates } = await agent.open(never);
    onTestFinished(() => transport.close());
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    await recorder.messages(1);
    void transport.send({ jsonrpc: '2.0', id: 1, method: 'fast' });
    await recorder.messages(2);
    expect(carriesUpdates?.()).toBe(false);
  });
});

describe('streamable HTTP', () => {
  it('goes on as plain POST with a server that has answered initialize in the body and names no connection', async () => {
    const host = await serveHttp(async (request, response) => {
      const { id } = JSON.parse(await text(request)) as Received;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } }));
    });
    const agent = httpAgent(`http://${host}/api`);
    const { transport, carriesUpdates } = await agent.open(never);
    onTestFinished(() => transport.close());
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    void transport.send({ jsonrpc: '2.0', id: 7, method: 'session/new' });
    await recorder.messages(2);
    expect(recorder.values[1]).toMatchObject({ id: 7, result: { protocolVersion: 1 } });
    expect(carriesUpdates?.()).toBe(false);
  });

  it('gives the agent an error in place of an answer that is too large for the server', async () => {
    const bodies: Received[] = [];
    const host = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        return void response.write(
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'ask', method: 'fs/read_text_file' })}\n\n`,
        );
      }
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        if (body === '') return void response.writeHead(202).end();
        bodies.push(JSON.parse(body));
        if (bodies.length > 1) return void response.writeHead(body.length > 1000 ? 413 : 202).end();
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: {} }));
      });
    });
    const { transport } = await httpAgent(`http://${host}/acp`).open(never);
    onTestFinished(() => transport.close());
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    await recorder.messages(2);
    void transport.send({ jsonrpc: '2.0', id: 'ask', result: { content: 'x'.repeat(5000) } });
    await transport.whenSent?.();
    expect(bodies.at(-1)).toMatchObject({ id: 'ask', error: { code: -32603 } });
    expect(recorder.closes).toEqual([]);
  });

  it('tries again when the server is busy, and sends nothing twice', async () => {
    const taken: string[] = [];
    let refusals = 3;
    const host = await serveHttp((request, response) => {
      if (request.method === 'GET') {
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      }
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const isFirst = request.headers['acp-connection-id'] === undefined;
        if (!isFirst && refusals > 0) {
          refusals -= 1;
          return void response.writeHead(503, { 'retry-after': '0' }).end();
        }
        if (body !== '') taken.push((JSON.parse(body) as Received).method ?? '');
        if (!isFirst) return void response.writeHead(202).end();
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: {} }));
      });
    });
    const { transport } = await httpAgent(`http://${host}/acp`).open(never);
    onTestFinished(() => transport.close());
    void transport.send(INITIALIZE);
    for (const method of ['one', 'two', 'three']) void transport.send({ jsonrpc: '2.0', method });
    await transport.whenSent?.();
    expect(taken).toEqual(['initialize', 'one', 'two', 'three']);
    expect(refusals).toBe(0);
  });
});

/** An agent that keeps `slow` requests until it is told to `release` them. */
async function openPost() {
  const listener = await listen({ authorize: 'anyone' });
  void (async () => {
    for await (const { transport } of listener.connections) {
      const waiting: unknown[] = [];
      const notes: unknown[] = [];
      let asking: unknown;
      const answer = (id: unknown, result: unknown = {}) =>
        void transport.send({ jsonrpc: '2.0', id, result } as never);
      transport.onMessage((value) => {
        const { id, method, params } = value as Received;
        if (method === 'slow') waiting.push(id);
        else if (method === 'release') for (const each of waiting.splice(0)) answer(each);
        else if (method === 'ask') {
          asking = id;
          void transport.send({ jsonrpc: '2.0', method: 'update', params: {} });
          void transport.send({ jsonrpc: '2.0', id: 'q', method: 'question', params: {} });
        } else if (id === 'q') answer(asking, (value as { result: unknown }).result);
        else if (method === 'note') notes.push(...(params as unknown[]));
        else answer(id, method === 'notes' ? notes : {});
      });
    }
  })();
  const agent = postAgent(`${listener.url}/post`);
  const { transport, carriesUpdates } = await agent.open(never);
  onTestFinished(async () => {
    await transport.close();
    await listener.close({ graceMs: 0 });
  });
  const recorder = new Recorder(transport);
  void transport.send(INITIALIZE);
  await recorder.messages(1);
  await transport.whenSent?.();
  return { transport, recorder, carriesUpdates };
}
