import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession } from '@parley/client';
import type { McpServer } from '@parley/protocol';
import { areGone } from '@parley/testing/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';
import { childrenOf } from './processes.ts';

const agents = useAgentProcesses();
const SERVER = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

/** Servers that are there before the agent is; the one on stdio is the agent's to start. */
const children: ChildProcess[] = [];
let httpPort = 0;
let ssePort = 0;
beforeAll(async () => {
  [httpPort, ssePort] = await Promise.all([startServer('streamableHttp'), startServer('sse')]);
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function startServer(transport: string): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, [SERVER, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server ended: ${log}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes(`port ${port}`)) resolve();
    });
  });
  return port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const stdio = (name = 'everything', env: { name: string; value: string }[] = []): McpServer => ({
  name,
  command: process.execPath,
  args: [SERVER, 'stdio'],
  env,
});

const servers: readonly { transport: string; server: () => McpServer }[] = [
  { transport: 'stdio', server: () => stdio() },
  {
    transport: 'http',
    server: () => ({ type: 'http', name: 'everything', url: `http://127.0.0.1:${httpPort}/mcp`, headers: [] }),
  },
  {
    transport: 'sse',
    server: () => ({ type: 'sse', name: 'everything', url: `http://127.0.0.1:${ssePort}/sse`, headers: [] }),
  },
];

const call = (session: ClientSession, tool: string, input: object = {}) =>
  session.prompt(`call mcp__everything__${tool} with ${JSON.stringify(input)}`);

describe.each(servers)('an MCP server over $transport', ({ server }) => {
  it('gives its tools to the agent: text, images and resources', async () => {
    const project = await agents.project();
    const { asked, permissions } = person('allow');
    const { connection } = await agents.start({ permissions });
    const session = await connection.newSession({ cwd: project.path, mcpServers: [server()] });

    const echo = await call(session, 'echo', { message: 'hello there' }).result;
    expect(echo.toolCalls).toMatchObject([{ title: 'everything: echo', status: 'completed', kind: 'other' }]);
    expect(echo.text).toContain('hello there');
    expect(asked).toEqual(['everything: echo']);

    const image = await call(session, 'get-tiny-image').result;
    expect(image.toolCalls[0]?.content.map((each) => each.type === 'content' && each.content.type)).toContain('image');
    const resource = await call(session, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }).result;
    expect(resource.toolCalls[0]?.content.map((each) => each.type === 'content' && each.content.type)).toContain(
      'resource',
    );

    const failed = await call(session, 'get-sum', { a: 'no number' }).result;
    expect(failed.toolCalls).toMatchObject([{ status: 'failed' }]);
    const listed = await session.prompt('/mcp').result;
    expect(listed.text).toContain('**everything**: `echo`');
  });
});

describe('MCP servers', () => {
  it('that fail are told of, and the session works without them', async () => {
    const project = await agents.project();
    const { connection } = await agents.start();
    const session = await connection.newSession({
      cwd: project.path,
      mcpServers: [
        { name: 'missing', command: '/no/such/server', args: [], env: [] },
        {
          name: 'dying',
          command: process.execPath,
          args: ['-e', 'console.error("bad config"); process.exit(3)'],
          env: [],
        },
        { type: 'http', name: 'absent', url: 'http://127.0.0.1:1/mcp', headers: [] },
        stdio(),
      ],
    });
    await session.prompt('hello').result;
    const notices = session.transcript.entries.toArray().filter(({ type }) => type === 'notice');
    expect(notices).toHaveLength(3);
    const told = JSON.stringify(notices);
    for (const name of ['missing', 'dying', 'absent'])
      expect(told).toContain(`The MCP server \\"${name}\\" could not be used`);
    expect(told).toContain('bad config');
    const { text } = await session.prompt('/mcp').result;
    expect(text).toContain('**everything**: `echo`');
    expect(text).toContain('**dying** failed');
    expect((await session.prompt('hello').result).text).toContain('Hello');
  });

  it('get the variables they were given and none of our keys', async () => {
    const project = await agents.project();
    const { connection } = await agents.start({
      env: { MY_API_KEY: 'hidden' },
      permissions: person('allow').permissions,
    });
    const session = await connection.newSession({
      cwd: project.path,
      mcpServers: [stdio('everything', [{ name: 'GIVEN', value: 'seen' }])],
    });
    const { toolCalls } = await call(session, 'get-env').result;
    const output = JSON.stringify(toolCalls[0]?.content);
    expect(output).toContain('seen');
    expect(output).not.toContain('hidden');
  });

  it('do not delay the session, only its first turn', async () => {
    const project = await agents.project();
    const { connection } = await agents.start();
    const script = `require('node:fs').writeFileSync('started', ''); setInterval(() => {}, 1000)`;
    const slow = { name: 'slow', command: process.execPath, args: ['-e', script], env: [] };
    const session = await connection.newSession({ cwd: project.path, mcpServers: [slow] });
    const turn = session.prompt('hello');
    while (!existsSync(project.at('started'))) await sleep(10);
    await turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
  });

  it('are connected to again on load, and end with the session', async () => {
    const project = await agents.project();
    const { connection, pid } = await agents.start({ permissions: person('allow').permissions });
    const setup = { cwd: project.path, mcpServers: [stdio()] };
    const session = await connection.newSession(setup);
    await call(session, 'echo', { message: 'x' }).result;
    const first = childrenOf(pid, 'server-everything');
    expect(first).toHaveLength(1);
    await session.close();
    expect(await areGone(first, 5000)).toBe(true);
    const again = await connection.loadSession(session.id, setup);
    await call(again, 'echo', { message: 'x' }).result;
    const second = childrenOf(pid, 'server-everything');
    expect(second).toHaveLength(1);
    await connection.close();
    expect(await areGone(second, 5000)).toBe(true);
  });
});
