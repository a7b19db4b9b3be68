import { Recorder } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import { httpAgent, postAgent } from '../../src/http/node/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import type { NetworkError } from '../../src/network/network-error.ts';
import type { NodeDialOptions } from '../../src/network/node/node-dial-options.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { closeServers, findClosedPort, type Handler, serveHttp, serveTcp, serveTls } from './odd-servers.ts';
import { INITIALIZE, never } from './wires.ts';

const SHORT = { connectTimeoutMs: 300, postTimeoutMs: 300, resumeMs: 0, proxy: false } as const;

/** Each kind of client, dialled at a `host:port`. */
const CLIENTS: readonly {
  readonly kind: string;
  dial(host: string, options?: NodeDialOptions, isTls?: boolean, query?: string): NetworkAgent;
}[] = [
  { kind: 'WebSocket', dial: dialWith(webSocketAgent, 'ws') },
  { kind: 'streamable HTTP', dial: dialWith(httpAgent, 'http') },
  { kind: 'HTTP+SSE', dial: dialWith(sseAgent, 'http') },
  { kind: 'plain POST', dial: dialWith(postAgent, 'http') },
];

function dialWith(create: (url: string, options: NodeDialOptions) => NetworkAgent, scheme: string) {
  return (host: string, options: NodeDialOptions = {}, isTls = false, query = ''): NetworkAgent =>
    create(`${scheme}${isTls ? 's' : ''}://${host}/acp${query}`, { ...SHORT, ...options });
}

closeServers();

describe.each(CLIENTS)('a client over $kind', ({ dial }) => {
  it('is told that it was refused, with the status and what the server said', async () => {
    const host = await serveHttp((_request, response) => {
      response.writeHead(401, { 'content-type': 'text/plain' }).end('Token expired yesterday');
    });
    const error = await failureOf(dial(host));
    expect(error).toMatchObject({ kind: 'refused', status: 401, body: 'Token expired yesterday' });
    expect(error.message).toContain('refused (401): Token expired yesterday. Check the token.');
  });

  it('knows a web site when it sees one', async () => {
    const host = await serveHttp((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Welcome</title><p>Hello</p>');
    });
    const error = await failureOf(dial(host));
    expect(error).toMatchObject({ kind: 'not_acp', status: 200 });
    expect(error.message).toMatch(/is not an ACP server: it answered 200 with text\/html.*"Welcome"/);
  });

  it('follows no redirect, and tells where it would lead', async () => {
    const host = await serveHttp((_request, response) => {
      response.writeHead(308, { location: 'https://elsewhere.example/acp' }).end();
    });
    const error = await failureOf(dial(host));
    expect(error).toMatchObject({ kind: 'refused', status: 308 });
    expect(error.message).toContain('redirects to https://elsewhere.example/acp (308); use that address');
  });

  it('is told of a server that speaks something else', async () => {
    const host = await serveTcp((socket) => void socket.end('220 mail.example ESMTP\r\n'));
    expect((await failureOf(dial(host))).kind).toMatch(/not_acp|dropped/);
  });

  it('is told when nothing listens', async () => {
    const host = await findClosedPort();
    const error = await failureOf(dial(host));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toMatch(/Cannot reach .*nothing answers there \(ECONNREFUSED\)/);
  });

  it('is told when the host has no address', async () => {
    const error = await failureOf(dial('no-such-host.invalid'));
    expect(error.kind).toBe('name_not_found');
    expect(error.message).toContain('its host name has no address');
  });

  it('does not wait for ever for a server that never answers', async () => {
    const host = await serveTcp(() => {});
    const error = await failureOf(dial(host));
    expect(error.kind).toBe('timeout');
    expect(error.message).toContain('did not answer within 0.3 s');
  });

  it('trusts no unknown authority, and the one that it is given', async () => {
    const refuse: Handler = (_request, response) => void response.writeHead(403).end('But we have met');
    const { host, certificates } = await serveTls(refuse);
    const stranger = await failureOf(dial(host, {}, true));
    expect(stranger.kind).toBe('tls');
    expect(stranger.message).toMatch(/Cannot trust .*`ca`, on the command line --ca/);
    const known = await failureOf(dial(host, { ca: certificates.ca }, true));
    expect(known).toMatchObject({ kind: 'refused', status: 403, body: 'But we have met' });
  });

  it('shows no query of the address, and takes no password in it', async () => {
    const agent = dial(await findClosedPort(), {}, false, '?key=secret');
    expect(agent.name).not.toContain('secret');
    expect((await failureOf(agent)).message).not.toContain('secret');
    expect(() => dial('me:secret@127.0.0.1:1')).toThrow(/^The address of 127.0.0.1:1 has a user or a password/);
  });
});

/** Why a dial, or the first message, fails. */
async function failureOf(agent: NetworkAgent): Promise<NetworkError> {
  try {
    const { transport } = await agent.open(never);
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    await recorder.closed();
    await transport.close();
    return recorder.closes[0]?.error as NetworkError;
  } catch (error) {
    return error as NetworkError;
  }
}
