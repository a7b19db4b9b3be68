import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const hello: AgentScript = { on: { 'session/prompt': sayAndEnd('Hello') } };
const takesAll: AgentScript = {
  ...hello,
  capabilities: { sessionCapabilities: { additionalDirectories: {} }, mcpCapabilities: { http: true } },
};

/** The parameters of what we sent by a method. */
async function sent(
  args: readonly string[],
  method: string,
  options?: { readonly cwd: string },
): Promise<Record<string, unknown> | undefined> {
  const { stdout, stderr, code } = await parley.run(['--format', 'json', ...args], options);
  expect(code, stderr || stdout).toBe(0);
  const [line] = readLines(stdout).filter((each) => each.method === method);
  return line?.params as Record<string, unknown> | undefined;
}

describe('the MCP servers of a session', () => {
  const folder = join(parley.folder, 'servers');
  mkdirSync(folder);
  const exec = ['exec', '--agent'];

  it('come from --mcp-config, in the shape of .mcp.json', async () => {
    const servers = { files: { command: 'mcp-files', args: ['-x'], env: { A: 'b' } }, web: { url: 'https://x.test/' } };
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
    const args = [...exec, parley.agent(takesAll), '--mcp-config', 'mcp.json', 'Hi'];
    expect((await sent(args, 'session/new', { cwd: folder }))?.mcpServers).toEqual([
      { name: 'files', command: 'mcp-files', args: ['-x'], env: [{ name: 'A', value: 'b' }] },
      { type: 'http', name: 'web', url: 'https://x.test/', headers: [] },
    ]);
  });

  it('come from --mcp-server as often as it is given, and the last of a name counts', async () => {
    const one = '{"name": "one", "command": "a", "env": {"A": "b"}}';
    const again = '{"name": "one", "command": "b", "args": [], "env": [{"name": "C", "value": "d"}]}';
    const map = '{"two": {"command": "c"}}';
    const flags = [one, map, again].flatMap((json) => ['--mcp-server', json]);
    expect((await sent([...exec, parley.agent(hello), ...flags, 'Hi'], 'session/new'))?.mcpServers).toEqual([
      { name: 'one', command: 'b', args: [], env: [{ name: 'C', value: 'd' }] },
      { name: 'two', command: 'c', args: [], env: [] },
    ]);
  });

  it.concurrent.each([
    ['{"name": "x"', '--mcp-server is not JSON'],
    ['[1]', '--mcp-server is a JSON object, not [1]'],
    ['{"command": "x"}', '--mcp-server has no "name"'],
    ['{"name": 3}', 'The "name" in --mcp-server is a text'],
    ['{"name": "x"}', 'MCP server "x" needs a "command" to run, or a "url"'],
  ])('of %s are refused before anything starts', async (json, because) => {
    const { code, stderr } = await parley.run(['exec', '--agent', parley.agent(hello), '--mcp-server', json, 'Hi']);
    expect(code).toBe(2);
    expect(stderr).toContain(because);
    expect(stderr).toContain('try: --mcp-server');
  });

  it("come from a project's .mcp.json only once it is trusted, and no longer when it changes", async () => {
    const project = join(parley.folder, 'cloned');
    const deep = join(project, 'src');
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(deep);
    const marker = join(project, 'started');
    const write = (name: string): void =>
      writeFileSync(
        join(project, '.mcp.json'),
        JSON.stringify({ mcpServers: { [name]: { command: 'touch', args: [marker] } } }),
      );
    write('theirs');
    const args = [...exec, parley.agent(hello), 'Hi'];
    const before = await parley.run(args, { cwd: deep });
    expect(before.stderr).toContain('names MCP servers (theirs); use them with: parley config trust');
    expect((await sent(args, 'session/new', { cwd: deep }))?.mcpServers).toEqual([]);
    // Our own agent starts what it is given, and what it finds by itself.
    await parley.run(['exec', 'help'], { cwd: deep });
    expect(existsSync(marker)).toBe(false);

    const trusted = await parley.run(['config', 'trust'], { cwd: deep });
    expect(trusted.stdout).toContain(`trusted ${join(project, '.mcp.json')} as it is now`);
    expect((await sent(args, 'session/new', { cwd: deep }))?.mcpServers).toMatchObject([{ name: 'theirs' }]);
    await parley.run(['exec', 'help'], { cwd: deep });
    expect(existsSync(marker)).toBe(true);

    write('changed');
    expect((await sent(args, 'session/new', { cwd: deep }))?.mcpServers).toEqual([]);
  });
});

describe('what is served to the agent', () => {
  it('is more folders with --add-dir, and a folder that is not there is told', async () => {
    const more = join(parley.home, 'more');
    mkdirSync(more);
    const flags = ['exec', '--agent', parley.agent(takesAll), '--add-dir', more];
    expect((await sent([...flags, 'Hi'], 'session/new'))?.additionalDirectories).toEqual([more]);
    const { code, stderr } = await parley.run([...flags, '--add-dir', 'nowhere', 'Hi']);
    expect(code).toBe(2);
    expect(stderr).toContain(`There is no folder ${join(parley.folder, 'nowhere')}`);
  });

  it('lets our own agent work in a folder that --add-dir names, and in no other without a question', async () => {
    const [added, other] = [join(parley.home, 'added'), join(parley.home, 'other')];
    for (const folder of [added, other]) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'a.txt'), 'old');
    }
    const change = (folder: string) =>
      parley.run([
        'exec',
        ...['--permission-mode', 'acceptEdits', '--add-dir', added],
        `replace "old" with "new" in ${join(folder, 'a.txt')}`,
      ]);
    await change(added);
    await change(other);
    expect(readFileSync(join(added, 'a.txt'), 'utf8')).toBe('new');
    expect(readFileSync(join(other, 'a.txt'), 'utf8')).toBe('old');
  });

  it.each([
    [[], { fs: { readTextFile: true, writeTextFile: true }, terminal: true }],
    [['--no-fs'], { fs: { readTextFile: false, writeTextFile: false }, terminal: true }],
    [['--no-terminal'], { fs: { readTextFile: true, writeTextFile: true }, terminal: false }],
  ])('is offered with %j', async (flags, offered) => {
    const params = await sent(['exec', '--agent', parley.agent(hello), ...flags, 'Hi'], 'initialize');
    const { fs, terminal } = (params?.clientCapabilities ?? {}) as Record<string, unknown>;
    expect({ fs, terminal }).toEqual(offered);
  });

  it('is refused to an agent that asks for it all the same', async () => {
    const path = join(parley.folder, 'secret.txt');
    writeFileSync(path, 'the content');
    const reads: AgentScript = {
      on: {
        'session/prompt': [
          { do: 'request', method: 'fs/read_text_file', params: { sessionId: '$sessionId', path }, echo: true },
          {
            do: 'request',
            method: 'terminal/create',
            params: { sessionId: '$sessionId', command: 'touch', args: [join(parley.folder, 'touched')] },
            echo: true,
          },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    };
    const run = (...flags: string[]) =>
      parley.run(['exec', '--approve-all', '--agent', parley.agent(reads), ...flags, 'Hi']);
    const refused = await run('--no-fs', '--no-terminal');
    expect(refused.stdout).not.toContain('the content');
    expect(refused.stdout).toContain('-32601');
    expect(existsSync(join(parley.folder, 'touched'))).toBe(false);
    expect((await run('--no-terminal')).stdout).toContain('the content');
  });
});
