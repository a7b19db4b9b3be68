import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcError } from '@parley/jsonrpc';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'gateway-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const use = (path: string): Step[] => [
  { do: 'request', method: 'fs/read_text_file', params: { sessionId: '$sessionId', path, line: 1 }, echo: true },
  {
    do: 'request',
    method: 'fs/write_text_file',
    params: { sessionId: '$sessionId', path, content: 'new' },
    echo: true,
  },
  {
    do: 'request',
    method: 'terminal/create',
    params: { sessionId: '$sessionId', command: 'echo', args: ['hi'] },
    save: 't',
    echo: true,
  },
  {
    do: 'request',
    method: 'terminal/wait_for_exit',
    params: { sessionId: '$sessionId', terminalId: '$saved:t' },
    echo: true,
  },
  { do: 'request', method: 'terminal/output', params: { sessionId: '$sessionId', terminalId: '$saved:t' }, echo: true },
  {
    do: 'request',
    method: 'terminal/release',
    params: { sessionId: '$sessionId', terminalId: '$saved:t' },
    echo: true,
  },
  END_TURN,
];

const answers = (said: string): unknown[] =>
  said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('files and terminals of a hosted agent', () => {
  it('are those of the client that prompts, under the names that it gives them', async () => {
    const path = '/nowhere/a.txt';
    const client = await rawClient(host(scripted({ on: { 'session/prompt': use(path) } })));
    client.connection.onRequest('fs/read_text_file', () => ({ content: 'from the client' }));
    client.connection.onRequest('fs/write_text_file', () => {
      throw new RpcError(-32002, 'Read-only', { path });
    });
    client.connection.onRequest('terminal/create', () => ({ terminalId: 'editor-7' }));
    client.connection.onRequest('terminal/wait_for_exit', () => ({ exitCode: 3, signal: null }));
    client.connection.onRequest('terminal/output', () => ({ output: 'hi', truncated: false }));
    client.connection.onRequest('terminal/release', () => ({}));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    expect(answers(client.said())).toEqual([
      { result: { content: 'from the client' } },
      { error: { code: -32002, message: 'Read-only', data: { path } } },
      { result: { terminalId: 'editor-7' } },
      { result: { exitCode: 3, signal: null } },
      { result: { output: 'hi', truncated: false } },
      { result: {} },
    ]);
    expect(client.requests[0]).toEqual({ method: 'fs/read_text_file', params: { sessionId, path, line: 1 } });
  });

  it('are asked for as the agent asks, and answered as the client answers, in every field', async () => {
    const path = '/nowhere/a.txt';
    const key = { sessionId: '$sessionId', terminalId: '$saved:t', wanted: 'all', _meta: { n: 2 } };
    const steps: Step[] = [
      {
        do: 'request',
        method: 'fs/read_text_file',
        params: { sessionId: '$sessionId', path, encoding: 'utf-16', _meta: { n: 1 } },
        echo: true,
      },
      {
        do: 'request',
        method: 'terminal/create',
        params: { sessionId: '$sessionId', command: 'top', pty: { rows: 3 } },
        save: 't',
        echo: true,
      },
      { do: 'request', method: 'terminal/output', params: key, echo: true },
      END_TURN,
    ];
    const client = await rawClient(host(scripted({ on: { 'session/prompt': steps } })));
    client.connection.onRequest('fs/read_text_file', () => ({ content: 'x', hash: 'abc', _meta: { from: 'editor' } }));
    client.connection.onRequest('terminal/create', () => ({ terminalId: 'editor-7', pid: 4 }));
    client.connection.onRequest('terminal/output', () => ({ output: '', truncated: false, title: 'top' }));
    client.connection.onRequest('terminal/release', () => ({}));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    expect(answers(client.said())).toEqual([
      { result: { content: 'x', hash: 'abc', _meta: { from: 'editor' } } },
      { result: { terminalId: 'editor-7', pid: 4 } },
      { result: { output: '', truncated: false, title: 'top' } },
    ]);
    expect(client.requests).toEqual([
      { method: 'fs/read_text_file', params: { sessionId, path, encoding: 'utf-16', _meta: { n: 1 } } },
      { method: 'terminal/create', params: { sessionId, command: 'top', pty: { rows: 3 } } },
      {
        method: 'terminal/output',
        params: { sessionId, terminalId: 'editor-7', wanted: 'all', _meta: { n: 2 } },
      },
    ]);
    // A terminal that the agent has not given back is given back when its session is closed.
    await client.request('session/close', { sessionId });
    await until(() => client.requests.at(-1)?.method === 'terminal/release');
  });

  it('stay with the client that has them when another one prompts', async () => {
    const steps: Step[] = [
      {
        do: 'request',
        method: 'terminal/create',
        params: { sessionId: '$sessionId', command: 'top' },
        save: 't',
      },
      { do: 'waitFor', method: '_go' },
      {
        do: 'request',
        method: 'terminal/kill',
        params: { sessionId: '$sessionId', terminalId: '$saved:t' },
        echo: true,
      },
      END_TURN,
    ];
    const hosted = host(scripted({ on: { 'session/prompt': steps } }));
    const [one, two] = [await rawClient(hosted), await rawClient(hosted)];
    one.connection.onRequest('terminal/create', () => ({ terminalId: 'of-one' }));
    one.connection.onRequest('terminal/kill', () => ({ by: 'one' }));
    const sessionId = await one.open();
    const prompting = one.prompt(sessionId, 'go');
    await until(() => one.requests.length === 1);
    await two.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    // Repeated, because the agent may not wait for it yet.
    const going = setInterval(() => void two.connection.notify('_go', { sessionId }), 20);
    await prompting.finally(() => clearInterval(going));
    expect(answers(one.said())).toEqual([{ result: { by: 'one' } }]);
    expect(two.requests).toEqual([]);
  });

  it('are those of this machine where the client has none, and the rules of the host hold', async () => {
    const cwd = await folder();
    const path = join(cwd, 'a.txt');
    await writeFile(path, 'from the disk');
    const steps = [
      {
        do: 'request',
        method: 'fs/read_text_file',
        params: { sessionId: '$sessionId', path: '/etc/hosts' },
        echo: true,
      },
      ...use(path),
    ] as const;
    const hosted = host(scripted({ on: { 'session/prompt': steps } }), {
      workspace: {},
      terminals: true,
      permissions: { rules: ['deny Edit(a.txt)'] },
    });
    const client = await rawClient(hosted, {});
    const sessionId = await client.open({ cwd });
    await client.prompt(sessionId, 'go');
    const said = answers(client.said()) as { result?: Record<string, unknown>; error?: object }[];
    expect(said[0]).toHaveProperty('error');
    expect(said[1]).toEqual({ result: { content: 'from the disk' } });
    expect(said[2]).toHaveProperty('error');
    expect(said[4]).toEqual({ result: { exitCode: 0, signal: null } });
    expect(said[5]?.result).toMatchObject({ output: 'hi\n' });
    expect(await readFile(path, 'utf8')).toBe('from the disk');
    expect(client.requests).toEqual([]);
  });

  it('are not offered where nobody has them', async () => {
    const client = await rawClient(
      host(scripted({ on: { 'session/prompt': use('/x').slice(0, 1).concat(END_TURN) } })),
      {},
    );
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    expect(answers(client.said())).toEqual([{ error: expect.objectContaining({ code: -32601 }) }]);
  });
});
