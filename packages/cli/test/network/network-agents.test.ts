import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createCertificates } from '@parley/testing/certificates';
import { describe, expect, it } from 'vitest';
import { serveEcho, TOKEN } from '../support/network-agent.ts';
import { useParley } from '../support/parley.ts';

const parley = useParley();
/** As settings write it. */
const variable = (name: string): string => `\${${name}}`;
const withToken = { env: { PARLEY_TOKEN: TOKEN } };

describe('an agent on the network', () => {
  it('is talked to by every kind of address', async () => {
    await using server = await serveEcho();
    const { host } = server;
    const addresses = [`ws://${host}/acp`, `http://${host}/acp`, host, `http+sse://${host}`, `http+post://${host}`];
    for (const address of addresses) {
      const { code, stdout } = await parley.run(['exec', '--agent', address, 'Hi'], withToken);
      expect({ address, code, stdout }).toEqual({ address, code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    }
  }, 120_000);

  it('that can only be posted to is asked as any other, where the server has a stream for its questions', async () => {
    await using server = await serveEcho();
    writeFileSync(join(parley.folder, 'note.txt'), 'from the note');
    const { code, stdout } = await parley.run(['exec', '--agent', `http+post://${server.host}`, 'read'], withToken);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'from the note\n[done] end_turn\n' });
  }, 120_000);

  it.each(['http+post', 'http'])(
    'at %s:// whose answers cannot be received ends with an error that says so',
    async (scheme) => {
      const server = createServer(async (request, response) => {
        const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
        const results: Record<string, object> = {
          initialize: { protocolVersion: 1, agentCapabilities: {} },
          'session/new': { sessionId: 's' },
          'session/prompt': { stopReason: 'end_turn' },
        };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const { code, stderr } = await parley.run(['exec', '--agent', `${scheme}://127.0.0.1:${port}/api`, 'Hi']);
        expect(code).toBe(1);
        expect(stderr).toContain('has no stream on which its answer and its questions could be received');
      } finally {
        server.close();
      }
    },
    120_000,
  );

  it('of the settings has headers and a token of its own, from files and variables', async () => {
    await using server = await serveEcho({
      authorize: ({ token, headers }) =>
        token === TOKEN && headers['x-team'] === 'blue' ? { principal: 'p' } : undefined,
    });
    writeFileSync(join(parley.home, 'token'), `${TOKEN}\n`);
    const common = { headers: { 'X-Team': variable('TEAM') } };
    const agents = {
      seed: { transport: 'websocket', url: `ws://${server.host}/acp`, tokenFile: '~/token', ...common },
      http: { transport: 'http', url: server.host, tokenEnv: 'MY_TOKEN', ...common },
      variable: { url: `ws://${server.host}/acp`, token: variable('MY_TOKEN'), ...common },
    };
    const config = join(parley.home, 'network.json');
    writeFileSync(config, JSON.stringify({ agents }));
    const env = { PARLEY_CONFIG: config, MY_TOKEN: TOKEN, TEAM: 'blue' };
    for (const agent of Object.keys(agents)) {
      const { code } = await parley.run(['exec', '--agent', agent, 'Hi'], { env });
      expect({ agent, code }).toEqual({ agent, code: 0 });
    }
    const { TEAM: _, ...rest } = env;
    const missing = await parley.run(['exec', '--agent', 'http', 'Hi'], { env: rest });
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('needs the environment variable TEAM') });
    const flags = ['--header', `X-Team: ${variable('TEAM')}`, '--token-file', join(parley.home, 'token')];
    const byFlags = await parley.run(['exec', '--agent', `ws://${server.host}/acp`, ...flags, 'Hi'], {
      env: { TEAM: 'blue' },
    });
    expect(byFlags).toMatchObject({ code: 0 });
  }, 120_000);

  it('that cannot be used is told apart by what is wrong, and what to do', async () => {
    await using server = await serveEcho();
    const { host: gone } = await serveAndClose();
    const page = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<html>'));
    await new Promise<void>((resolve) => void page.listen(0, '127.0.0.1', resolve));
    const { port } = page.address() as AddressInfo;
    const attempt = (agent: string, env: Record<string, string> = {}) =>
      parley.run(['exec', '--agent', agent, 'Hi'], { env: { PARLEY_TOKEN: 'a-wrong-token', ...env } });
    const wrong = await attempt(`ws://${server.host}/acp`);
    expect(wrong).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/401[\s\S]*Check the token[\s\S]*--token-file[\s\S]*parley --agent local/),
    });
    expect(wrong.stderr).not.toContain('a-wrong-token');
    expect(await attempt(server.host)).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^parley: http:\/\/127.0.0.1:\d+\/acp refused \(401\).*Check the token/),
    });
    expect(await attempt('wws://host/acp')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"wws:".*wss:\/\/.*host:port/),
    });
    expect(await attempt(gone)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/nothing answers there[\s\S]*parley serve/),
    });
    expect(await attempt(`http://127.0.0.1:${port}/`)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('is not an ACP server'),
    });
    expect(await attempt('wss://no-such-host.invalid/acp')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('host name has no address'),
    });
    await new Promise((resolve) => page.close(resolve));
  }, 120_000);

  it('with a certificate of a private authority is trusted only by --ca', async () => {
    const { ca, cert, key } = createCertificates();
    await using server = await serveEcho({ tls: { cert, key } });
    writeFileSync(join(parley.home, 'ca.pem'), ca);
    for (const address of [`wss://${server.host}/acp`, `https://${server.host}/acp`]) {
      expect(await parley.run(['exec', '--agent', address, 'Hi'], withToken)).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(/Cannot trust[\s\S]*try: --ca/),
      });
      const flags = ['--ca', join(parley.home, 'ca.pem')];
      expect(await parley.run(['exec', '--agent', address, ...flags, 'Hi'], withToken)).toMatchObject({ code: 0 });
    }
  }, 120_000);

  it('is dialled again when the connection is lost, and goes on with the turn', async () => {
    let goOn = (): void => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await using server = await serveEcho({ goOn: waits });
    const links = new Set<Socket>();
    const proxy = createTcpServer((near) => {
      const far = connectTcp(server.listener.port, '127.0.0.1');
      links.add(near);
      near.on('error', () => {}).on('close', () => far.destroy());
      far.on('error', () => {}).on('close', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const running = parley.start(['exec', '--agent', `ws://127.0.0.1:${port}/acp`, 'wait'], withToken);
    await running.sees('before');
    for (const link of links) link.destroy();
    await running.sees('connection lost, dialling', 'stderr');
    await running.sees('connected to', 'stderr');
    goOn();
    expect(await running.finished).toMatchObject({ code: 0, stdout: 'before after\n[done] end_turn\n' });
    proxy.close();
  }, 120_000);

  it('is checked, looked into and listed as any other', async () => {
    await using server = await serveEcho();
    const address = `ws://${server.host}/acp`;
    const checked = await parley.run(['check', '--only', 'FRAME-01', address], withToken);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('echo 1.0.0') });
    writeFileSync(join(parley.folder, 'its-token'), TOKEN);
    const byFile = await parley.run(['check', '--token-file', 'its-token', '--only', 'FRAME-01', '--', server.host]);
    expect(byFile).toMatchObject({ code: 0, stdout: expect.stringContaining('echo 1.0.0') });
    const inspect = `${process.execPath} ${parley.program} inspect --trace ${parley.home}/trace.ndjson -- ${address}`;
    const { code, stdout } = await parley.run(['exec', '--agent', inspect, 'Hi'], withToken);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    const trace = readFileSync(join(parley.home, 'trace.ndjson'), 'utf8');
    expect(trace).toContain('session/prompt');
    expect(trace).not.toContain(TOKEN);
    expect(await parley.run(['doctor', server.host])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/FAIL.*initialize[\s\S]*Check the token[\s\S]*fix: --token-file/),
    });
    expect(await parley.run(['agents', 'add', 'far', '--', server.host])).toMatchObject({
      stdout: `far: http://${server.host}/acp\n`,
    });
    expect(await parley.run(['exec', '--agent', 'far', 'Hi'], withToken)).toMatchObject({ code: 7 });
  }, 120_000);

  it('gets the token of PARLEY_TOKEN only where PARLEY_URL says whose that is', async () => {
    await using server = await serveEcho();
    const elsewhere = { PARLEY_TOKEN: TOKEN, PARLEY_URL: 'http://127.0.0.1:1/acp' };
    expect(await parley.run(['exec', '--agent', server.host, 'Hi'], { env: elsewhere })).toMatchObject({ code: 7 });
    const env = { PARLEY_TOKEN: TOKEN, PARLEY_URL: server.host };
    expect(await parley.run(['exec', '--agent', 'local', 'Hi'], { env })).toMatchObject({ code: 0 });
    const none = await parley.run(['exec', '--agent', 'local', 'Hi']);
    expect(none).toMatchObject({ code: 6, stderr: expect.stringContaining('parley serve') });
  }, 120_000);

  it('reads files of the workspace, and runs commands here only when that is said', async () => {
    await using server = await serveEcho();
    writeFileSync(join(parley.folder, 'note.txt'), 'a note');
    const { stdout } = await parley.run(['exec', '--agent', server.host, 'read'], withToken);
    expect(stdout).toContain('a note');
    const offers = async (flags: readonly string[]) => {
      const { stdout: json } = await parley.run(
        ['exec', '--format', 'json', '--agent', server.host, ...flags, 'Hi'],
        withToken,
      );
      return JSON.parse(json.split('\n')[0] ?? '').params.clientCapabilities.terminal;
    };
    expect([await offers([]), await offers(['--terminal'])]).toEqual([false, true]);
  }, 120_000);
});

/** A port where nobody listens any more. */
async function serveAndClose() {
  await using server = await serveEcho();
  return { host: server.host };
}
