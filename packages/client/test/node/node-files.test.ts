import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthRequiredError } from '../../src/errors.ts';
import { environmentAuth } from '../../src/node/environment-auth.ts';
import { knownSettingsFiles, loadAgentSettings, loadMcpConfig } from '../../src/node/settings-files.ts';
import { agentAt } from '../../src/node/spawn-agent.ts';
import { traceToFile } from '../../src/node/trace-file.ts';
import { CWD, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();
/** A variable as configuration files write it. */
const ref = (name: string): string => `$\{${name}}`;
let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-home-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('a trace file', () => {
  it('has every message of both sides, one a line, without secrets, for its owner only', async () => {
    const path = join(home, 'trace.ndjson');
    const trace = traceToFile(path, { secrets: ['hunter2'] });
    const connection = await agents.connect({}, { trace });
    const session = await connection.newSession({
      cwd: CWD,
      mcpServers: { x: { command: '/x', env: { TOKEN: 'top-secret' } } },
    });
    await session.prompt('my password is hunter2').result;
    await connection.close();
    await trace.close();
    const text = await readFile(path, 'utf8');
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ direction, message }) => `${direction} ${message.method ?? 'answer'}`)).toEqual([
      'out initialize',
      'in answer',
      'out session/new',
      'in answer',
      'out session/prompt',
      'in session/update',
      'in answer',
    ]);
    expect(Date.parse(records[0].time)).toBeGreaterThan(0);
    expect(text).not.toContain('top-secret');
    expect(text).not.toContain('hunter2');
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(trace.dropped).toBe(0);
  });

  it('can be switched on and off while a connection is open', async () => {
    const methods: string[] = [];
    await using connection = await agents.connect({});
    const session = await connection.newSession({ cwd: CWD });
    const stop = connection.trace({
      write: ({ direction, message }) => direction === 'out' && methods.push((message as { method: string }).method),
    });
    await session.prompt('one').result;
    stop();
    await session.prompt('two').result;
    expect(methods).toEqual(['session/prompt']);
  });

  it('that cannot be written costs records, not the connection', async () => {
    const trace = traceToFile(join(home, 'no', 'such', 'place'));
    await using connection = await agents.connect({}, { trace });
    const session = await connection.newSession({ cwd: CWD });
    expect((await session.prompt('hello').result).text).toBe('You said: hello');
    await trace.close();
    expect(trace.dropped).toBeGreaterThan(0);
  });
});

describe('settings files', () => {
  it('of other clients are found and joined; what is broken is told', async () => {
    const [zed = '', jetbrains = '', acpx = '', ui = ''] = knownSettingsFiles(home);
    const files: Record<string, string> = {
      [zed]: '{ "theme": "x", // mine\n "agent_servers": { "gemini": { "command": "gemini", "args": ["--acp"] }, }, }',
      [jetbrains]: '{ "agent_servers": { "gemini": { "command": "other" }, "codex": { "command": "codex-acp" } } }',
      [acpx]: '{ "defaultAgent": "codex", "agents": { "raw": { "argv": ["node", "x.js"] } } }',
      [ui]: '{ broken',
    };
    for (const [file, text] of Object.entries(files)) {
      if (!file.startsWith(home)) continue;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const {
      agents: found,
      problems,
      defaultAgent,
    } = await loadAgentSettings([zed, jetbrains, acpx, ui, join(home, 'missing.json')]);
    expect(found.map(({ name, from }) => [name, from])).toEqual([
      ['gemini', zed],
      ['codex', jetbrains],
      ['raw', acpx],
    ]);
    expect(defaultAgent).toBe('codex');
    const because = `${ui} is not valid JSON: line 1, column 3: expected a name in double quotes.`;
    expect(problems).toMatchObject([{ from: ui, because }]);
  });

  it('.mcp.json gives its servers, with variables', async () => {
    await writeFile(
      join(home, '.mcp.json'),
      JSON.stringify({ mcpServers: { files: { command: `${ref('BIN')}/files`, env: { A: ref('NOT_SET') } }, odd: 3 } }),
    );
    const { servers, problems } = await loadMcpConfig(home, { BIN: '/bin' });
    expect(servers).toEqual({ files: { command: '/bin/files', env: { A: '' } } });
    expect(problems.map(({ name }) => name).sort()).toEqual(['files', 'odd']);
    expect(await loadMcpConfig(join(home, 'nowhere'))).toEqual({ servers: {}, problems: [] });
  });
});

describe('a login by environment', () => {
  it('gives the agent its variable and chooses the method', async () => {
    const { env, auth } = environmentAuth({ PARLEY_AUTH_GEMINI_API_KEY: 'k', OTHER: 'x', PARLEY_AUTH_: 'y' });
    expect(env).toEqual({ GEMINI_API_KEY: 'k' });
    const methods = [
      { id: 'oauth', name: 'OAuth' },
      { id: 'gemini-api-key', name: 'Key' },
    ];
    const error = new AuthRequiredError('x', methods, new Error('x') as never);
    expect(typeof auth.method === 'function' && (await auth.method(error))).toBe('gemini-api-key');
  });

  it('reaches the process of the agent, as do other variables and its directory', async () => {
    const { command, args } = agents.command({
      on: {
        'session/prompt': [
          { do: 'tell', what: 'env:GIVEN' },
          { do: 'tell', what: 'cwd' },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    });
    const source = agentAt(
      { kind: 'command', command, args, env: { GIVEN: 'by address' }, cwd: home },
      { recordsDir: false },
    );
    const { connect } = await import('../../src/connect/connect.ts');
    await using connection = await connect(source);
    const session = await connection.newSession({ cwd: CWD });
    const { text } = await session.prompt('go').result;
    expect(text.trim().split('\n')).toEqual(['by address', home]);
    expect(agentAt('wss://example.com/acp?key=x').name).toBe('wss://example.com/acp');
  });

  it('that needs a command which is not there says so', async () => {
    const { connect } = await import('../../src/connect/connect.ts');
    await expect(connect(agentAt('no-such-agent --acp'))).rejects.toMatchObject({
      code: 'agent_unreachable',
      phase: 'spawn',
      message: expect.stringContaining('no such command'),
    });
  });
});
