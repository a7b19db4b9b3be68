import { fileURLToPath } from 'node:url';
import type { ClientSession } from '@parley/client';
import type { FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';
import { startModel } from './in-process.ts';

const agents = useAgentProcesses();

const small = {
  name: 'small',
  command: process.execPath,
  args: [fileURLToPath(new URL('mcp-server.mjs', import.meta.url))],
  env: [],
};

const call = (name: string, input: object = {}): Reply => ({ events: [{ type: 'tool_call', name, input }] });

interface Scene {
  readonly session: ClientSession;
  readonly server: FakeModelServer;
  reload(): Promise<ClientSession>;
}

async function open(script: readonly Reply[], wire = 'openai', moreTools = 0): Promise<Scene> {
  const project = await agents.project();
  const { server, env: own } = await startModel({ script });
  const env = wire === 'openai' ? own : { ...own, PARLEY_BASE_URL: server.url, PARLEY_WIRE: wire };
  const { connection } = await agents.start({ env, permissions: person('allow').permissions });
  const session = await connection.newSession({
    cwd: project.path,
    mcpServers: [{ ...small, args: [...small.args, String(moreTools)] }],
  });
  return {
    session,
    server,
    async reload() {
      await session.close();
      // Without the server: what the model was asked is in the log.
      return connection.loadSession(session.id, { cwd: project.path });
    },
  };
}

async function nextCommands(session: ClientSession, name: string): Promise<void> {
  while (!session.transcript.commands.some((command) => command.name === name)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('an MCP server', () => {
  it('says how to use it, and cannot flood the model', async () => {
    const { session, server } = await open([call('mcp__small__flood'), 'Enough.']);
    expect((await session.prompt('go').result).text).toBe('Enough.');
    const [first, body] = server.requests.map((request) => JSON.stringify(request.body));
    expect(first).toContain('# The MCP server small about its tools\\n\\nAsk for the pid before anything else.');
    expect(body).toMatch(/\[\.\.\. \d+ characters left out; the whole output is in \S+\.txt,/);
    expect(body?.length).toBeLessThan(80_000);
  });

  it('may have tools that providers would refuse as they are', async () => {
    const { session, server } = await open([call('mcp__small__odd', { Start_: 'today' }), 'Fine.'], 'anthropic');
    expect((await session.prompt('go').result).text).toBe('Fine.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain(JSON.stringify('given {"Start<":"today"}'));
  });

  it('may have more tools than a provider takes: the person is told which are missing', async () => {
    const { session, server } = await open(['Fine.'], 'openai', 140);
    expect((await session.prompt('go').result).text).toBe('Fine.');
    expect(session.transcript.entries.toArray().filter(({ type }) => type === 'notice')).toMatchObject([
      {
        title: expect.stringMatching(/ takes 128 tools, and \d+ were left out$/),
        description: expect.stringMatching(/^mcp__small__more_\d+, /),
      },
    ]);
    const names = JSON.stringify(server.requests.at(-1)?.body);
    expect(names).toContain('"read_file"');
    expect(names).not.toContain('more_139');
  });

  it('is started again when it has died, with its next use', async () => {
    const { session, server } = await open([
      call('mcp__small__pid'),
      call('mcp__small__die'),
      call('mcp__small__pid'),
      'Alive.',
    ]);
    const { toolCalls } = await session.prompt('go').result;
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
    const pids = [...JSON.stringify(server.requests.at(-1)?.body).matchAll(/process (\d+)/g)].map(([, pid]) => pid);
    expect(new Set(pids).size).toBe(2);
  });

  it('lets its resources be listed and read', async () => {
    const { session, server } = await open([
      call('list_mcp_resources'),
      call('read_mcp_resource', { server: 'small', uri: 'small://notes' }),
      call('read_mcp_resource', { server: 'small', uri: 'small://nothing' }),
      call('read_mcp_resource', { server: 'large', uri: 'small://notes' }),
      'Milk.',
    ]);
    const { toolCalls } = await session.prompt('go').result;
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'failed']);
    const body = JSON.stringify(server.requests.at(-1)?.body);
    expect(body).toContain('small: small://notes (notes, text/plain)');
    expect(body).toContain('Remember the milk.');
    expect(body).toContain('There is no small://nothing');
    expect(body).toContain('There are: small.');
    expect((await session.prompt('/mcp').result).text).toContain('prompts `review`; resources');
  });

  it('has its prompts as commands, and what they said stays in the log', async () => {
    const { session, server, reload } = await open(['Fine.', 'Later.']);
    await nextCommands(session, 'small:review');
    expect(session.transcript.commands.find(({ name }) => name === 'small:review')).toMatchObject({
      description: 'Reviews a file',
      input: { hint: 'path focus' },
    });
    expect((await session.prompt('/small:review "a file.ts" speed and size').result).text).toBe('Fine.');
    expect(server.requests[0]?.lastUserText).toContain('Review a file.ts with an eye on speed and size.');
    const loaded = await reload();
    await loaded.prompt('and?').result;
    const body = JSON.stringify(server.requests[1]?.body);
    expect(body).toContain('Review a file.ts with an eye on speed and size.');
    expect(body).not.toContain('/small:review');
  });
});
