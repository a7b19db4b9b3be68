import type { ServerResponse } from 'node:http';
import type { Transport } from '@parley/jsonrpc';
import { Recorder } from '@parley/testing/transport-cases';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpAgent } from '../../src/http/node/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import type { NetworkError } from '../../src/network/network-error.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { closeServers, serveHttp } from './odd-servers.ts';
import { INITIALIZE, never } from './wires.ts';

closeServers();

interface Dialled {
  readonly lastEventId: string | undefined;
  readonly response: ServerResponse;
}

const KINDS: readonly { readonly kind: string; dial(url: string, resumeMs: number): NetworkAgent }[] = [
  { kind: 'streamable HTTP', dial: (url, resumeMs) => httpAgent(url, { resumeMs, silenceMs: 200 }) },
  { kind: 'HTTP+SSE', dial: (url, resumeMs) => sseAgent(url, { resumeMs, silenceMs: 200 }) },
];

describe.each(KINDS)('a stream of $kind', ({ dial }) => {
  it('that is cut in the middle of an event goes on after the last whole one', async () => {
    const { url, dialled } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    const first = await dialled(0);
    first.response.write('id: 0\n\nid: 1\ndata: {"n":1}\n\nid: 2\ndata: {"n":');
    await atNear.messages(1);
    first.response.destroy();
    const second = await dialled(1);
    expect(second.lastEventId).toBe('1');
    second.response.write('id: 2\ndata: {"n":2}\n\n');
    await atNear.messages(2);
    expect(atNear.values).toEqual([{ n: 1 }, { n: 2 }]);
    expect(atNear.closes).toEqual([]);
  });

  it('that is cut before its first event goes on too, when the server numbers events', async () => {
    const { url, dialled } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    const first = await dialled(0);
    first.response.write('id: 0\n\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    first.response.destroy();
    const second = await dialled(1);
    expect(second.lastEventId).toBe('0');
    second.response.write('id: 1\ndata: {"n":1}\n\n');
    await atNear.messages(1);
  });

  it('is dialled again when a server that sent keep-alives falls silent', async () => {
    const { url, dialled } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    (await dialled(0)).response.write('id: 0\n\n:\n\n:\n\n');
    const second = await dialled(1);
    second.response.write('id: 1\ndata: {"n":1}\n\n');
    await atNear.messages(1);
    expect(atNear.closes).toEqual([]);
  });

  it('that nobody numbers ends the wire when it is cut, since something may be lost', async () => {
    const { url, dialled } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    const first = await dialled(0);
    first.response.write('data: {"n":1}\n\n');
    await atNear.messages(1);
    first.response.destroy();
    await atNear.closed();
    expect(atNear.closes).toMatchObject([{ kind: 'failed', error: { kind: 'dropped' } }]);
  });

  it('of a connection that the server has forgotten ends the wire as failed', async () => {
    const { url, dialled, forget } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    const first = await dialled(0);
    first.response.write('id: 0\n\nid: 1\ndata: {"n":1}\n\n');
    await atNear.messages(1);
    forget();
    first.response.destroy();
    await atNear.closed();
    expect(atNear.closes).toMatchObject([{ kind: 'failed', error: { kind: 'refused', status: 404 } }]);
  });

  it('that the server ends in good order ends the wire so', async () => {
    const { url, dialled } = await serveStreams();
    const atNear = await open(dial(url, 10_000));
    const first = await dialled(0);
    first.response.end('id: 0\n\nid: 1\ndata: {"n":1}\n\nevent: end\ndata:\n\n');
    await atNear.closed();
    expect(atNear.deliveries).toEqual([
      { kind: 'message', value: { n: 1 } },
      { kind: 'close', reason: { kind: 'ended' } },
    ]);
  });

  it('is given up when the server stays away', async () => {
    const { url, dialled, close } = await serveStreams();
    const atNear = await open(dial(url, 500));
    const first = await dialled(0);
    first.response.write('id: 0\n\nid: 1\ndata: {"n":1}\n\n');
    await atNear.messages(1);
    close();
    await atNear.closed();
    const error = atNear.closes[0]?.error as NetworkError;
    expect(error.kind).toMatch(/unreachable|refused/);
  });
});

/** A server whose streams the test writes itself. */
async function serveStreams() {
  const dialled: Dialled[] = [];
  let isForgotten = false;
  let isClosed = false;
  let tell = (): void => {};
  const host = await serveHttp((request, response) => {
    request.resume();
    if (isClosed) return void response.writeHead(503).end();
    if (request.method === 'GET') {
      if (isForgotten) return void response.writeHead(404).end('Unknown connection');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      dialled.push({ lastEventId: request.headers['last-event-id'] as string | undefined, response });
      tell();
    } else if (request.method === 'POST' && request.headers['acp-connection-id'] === undefined) {
      response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: { protocolVersion: 1 } }));
    } else response.writeHead(202).end();
  });
  return {
    url: `http://${host}/acp`,
    forget: () => {
      isForgotten = true;
    },
    close: () => {
      isClosed = true;
      for (const { response } of dialled) response.destroy();
    },
    async dialled(index: number): Promise<Dialled> {
      for (let found = dialled[index]; ; found = dialled[index]) {
        if (found) return found;
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
    },
  };
}

/** Past `initialize`, whose answer is not recorded. */
async function open(agent: NetworkAgent): Promise<Recorder> {
  const { transport } = await agent.open(never);
  onTestFinished(() => (transport as Transport).close());
  await new Promise((resolve) => {
    transport.onMessage(resolve);
    void transport.send(INITIALIZE);
  });
  return new Recorder(transport);
}
