import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SpawnedProcess, spawnChild } from '@parley/host/process';
import { createCertificates } from '@parley/testing/certificates';
import { bubblewrap, needs } from '@parley/testing/needs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAllowList, openSandbox } from '../src/sandbox/index.ts';

/** Runs inside: what each way out leads to. The words are `http:`, `https:` and `direct:` addresses, or `unix:` and a path. */
const PROBE = `
const http = require('node:http'), net = require('node:net'), tls = require('node:tls'), fs = require('node:fs');
const proxy = new URL(process.env.HTTPS_PROXY);
// An agent of its own: newer versions of Node take the proxy from the environment by themselves.
const toProxy = { host: proxy.hostname, port: proxy.port, agent: new http.Agent() };
const failure = (error) => error.code ?? error.message;
const body = (stream) => new Promise((resolve) => {
  let all = '';
  stream.on('data', (data) => { all += data; }).on('error', (error) => resolve(failure(error))).on('end', () => resolve(all));
});
const ways = {
  http: (url) => new Promise((resolve) => http.get({ ...toProxy, path: url.href }, async (answer) =>
    resolve(answer.statusCode + ' ' + await body(answer))).on('error', (error) => resolve(failure(error)))),
  https: (url) => new Promise((resolve) => http.request({ ...toProxy, method: 'CONNECT', path: url.host })
    .on('response', async (answer) => resolve(answer.statusCode + ' ' + await body(answer)))
    .on('connect', async (answer, socket, head) => {
      if (answer.statusCode !== 200) return resolve(answer.statusCode + ' ' + head + await body(socket));
      const secure = tls.connect({ socket, servername: 'localhost', ca: fs.readFileSync('ca.pem') });
      secure.write('GET / HTTP/1.0\\r\\n\\r\\n');
      resolve((await body(secure)).split('\\r\\n\\r\\n')[1]);
    }).end()),
  direct: (url) => new Promise((resolve) => net.connect(url.port, url.hostname, () => resolve('reached'))
    .on('error', (error) => resolve(failure(error)))),
  unix: (url) => new Promise((resolve) => net.connect(url.pathname, () => resolve('reached'))
    .on('error', (error) => resolve(failure(error)))),
};
(async () => {
  const report = {};
  for (const word of process.argv.slice(1)) report[word] = await ways[word.split(':')[0]](new URL(word));
  const { NO_PROXY, HTTP_PROXY, http_proxy, NODE_USE_ENV_PROXY } = process.env;
  console.log(JSON.stringify({ ...report, env: { NO_PROXY, NODE_USE_ENV_PROXY, isOne: HTTP_PROXY === http_proxy } }));
})();
`;

interface Inside {
  readonly cwd: string;
  readonly child: SpawnedProcess;
  readonly refusals: readonly string[];
}

interface RunOptions {
  readonly hosts: readonly string[];
  /** Default: Node. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a program in a sandbox that may reach these hosts, in a workspace of its own. */
async function start({ hosts, command = process.execPath, args, files = {} }: RunOptions): Promise<Inside> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-allow-')));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const refusals: string[] = [];
  const { bridge, serveReceived } = createAllowList({
    hosts,
    setting: 'agents.other.sandbox.network',
    env: {},
    onRefusal: (message) => refusals.push(message),
  });
  const state = await openSandbox({ profile: 'workspace', roots: [cwd] });
  if (!state.isThere) throw new Error(state.because);
  const program = state.confine(bridge({ command, args }), cwd);
  const child = await spawnChild({ ...program, cwd, serveReceived, recordsDir: false });
  onTestFinished(() => child.stop());
  return { cwd, child, refusals };
}

async function listen(server: Server, where: string | number = 0): Promise<number> {
  await once(typeof where === 'string' ? server.listen(where) : server.listen(where, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Servers and connections of this process. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
}

describe('a program in a sandbox with a list of hosts', needs(bubblewrap()), () => {
  it('reaches the hosts of the list through the proxy, and nothing else in any way', async () => {
    const { ca, cert, key } = createCertificates();
    const plain = await listen(createHttpServer((_request, response) => response.end('plain')));
    const secure = await listen(createHttpsServer({ cert, key }, (_request, response) => response.end('secure')));
    const other = await listen(createHttpServer((_request, response) => response.end('other')));
    const folder = await mkdtemp(join('/var/tmp', 'parley-socket-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await listen(
      createServer((socket) => socket.end()),
      join(folder, 'server'),
    );
    const words = [
      ...[`http://127.0.0.1:${plain}/`, `https://localhost:${secure}/`, `http://127.0.0.1:${other}/`],
      ...[`https://127.0.0.1:${other}/`, `direct://127.0.0.1:${plain}`, `unix:${join(folder, 'server')}`],
    ];
    const { child, refusals } = await start({
      hosts: [`127.0.0.1:${plain}`, `localhost:${secure}`],
      args: ['-e', PROBE, '--', ...words],
      files: { 'ca.pem': ca },
    });
    const said = await text(child.stdout);
    const refusal = `The sandbox refused 127.0.0.1:${other}: it is not in agents.other.sandbox.network. To allow it, add "127.0.0.1:${other}" there.`;
    expect(said, child.stderrTail).not.toBe('');
    expect(JSON.parse(said)).toEqual({
      [words[0] ?? '']: '200 plain',
      [words[1] ?? '']: 'secure',
      [words[2] ?? '']: `403 ${refusal}\n`,
      [words[3] ?? '']: `403 ${refusal}\n`,
      [words[4] ?? '']: 'ECONNREFUSED',
      [words[5] ?? '']: 'EPERM',
      env: { NO_PROXY: '::1', NODE_USE_ENV_PROXY: '1', isOne: true },
    });
    expect(refusals).toEqual([refusal]);
  });

  it('has the exit code of the program, and its own loopback', async () => {
    const script = `
      const server = require('node:net').createServer((socket) => socket.end()).listen(0, '127.0.0.1', () =>
        require('node:net').connect(server.address().port, '127.0.0.1', () => process.exit(process.env.NO_PROXY === 'localhost,127.0.0.1,::1' ? 7 : 1)));`;
    const { child } = await start({ hosts: ['a.example'], args: ['-e', script] });
    expect(await child.exited).toEqual({ code: 7, signal: null });
    await child.stop();
  });

  it('says when the program cannot be started', async () => {
    const { child } = await start({ hosts: ['a.example'], command: '/no/such/program', args: [] });
    expect((await child.exited).code).toBe(127);
    await expect.poll(() => child.stderrTail).toContain('/no/such/program could not be started');
  });

  it.each(['ended', 'killed'])('leaves no socket of the proxy behind once it was %s', async (how) => {
    const before = openSockets();
    const closed: Promise<unknown>[] = [];
    const server = createServer((socket) => {
      closed.push(once(socket, 'close'));
      socket.on('error', () => {}).write('hello');
    });
    const port = await listen(server);
    const script = `
      const proxy = new URL(process.env.HTTPS_PROXY);
      require('node:http').request({ agent: false, host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: '127.0.0.1:${port}' })
        .on('connect', (answer, socket, head) => {
          socket.unshift(head);
          socket.once('data', (data) => process.stdout.write(data));
        }).end();
      process.stdin.resume().on('end', () => process.exit());`;
    const { child } = await start({ hosts: [`127.0.0.1:${port}`], args: ['-e', script] });
    expect(String((await once(child.stdout, 'data'))[0])).toBe('hello');
    if (how === 'killed') process.kill(child.pid, 'SIGKILL');
    await child.stop();
    await Promise.all(closed);
    server.close();
    await expect.poll(openSockets).toBe(before);
  });
});
