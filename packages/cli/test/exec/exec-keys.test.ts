import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../serve/serving.ts';
import { useParley } from '../support/parley.ts';

const parley = useParley();
/** Unlike any other text in an environment of this machine. */
const MARK = `canary-${randomUUID()}`;
const CANARY = `${MARK}-key`;
const ODD_CANARY = `${MARK}-odd-name`;

/** Writes down its own environment and every process of the machine whose environment has a canary. */
const SPY = `
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
const read = (path) => { try { return readFileSync(path, 'latin1'); } catch { return ''; } };
const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)) : [];
const parent = read('/proc/' + process.ppid + '/environ');
const readers = pids.filter((pid) => /${MARK}/.test(read('/proc/' + pid + '/environ')));
appendFileSync(process.argv[3], JSON.stringify({
  role: process.argv[2],
  own: Object.entries(process.env).filter(([, value]) => /${MARK}/.test(value)),
  hasParent: process.platform !== 'linux' || parent.includes('PATH='),
  readers: readers.map((pid) => read('/proc/' + pid + '/cmdline').replaceAll('\\0', ' ')),
}) + '\\n');
`;

/** An MCP server without tools that spies when it starts. */
const SERVER = `${SPY}
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'spy', version: '1' } }
    : { tools: [] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}
`;

interface Seen {
  readonly role: string;
  readonly own: readonly (readonly [string, string])[];
  readonly hasParent: boolean;
  readonly readers: readonly string[];
}

/** A folder with a spy as command, hook and MCP server, and a model that runs the command. */
async function openScene(name: string) {
  const cwd = join(parley.home, name);
  mkdirSync(cwd);
  const report = join(cwd, 'report.jsonl');
  const spy = join(cwd, 'spy.mjs');
  const mcp = join(cwd, 'server.mjs');
  writeFileSync(spy, SPY);
  writeFileSync(mcp, SERVER);
  const lineOf = (role: string): string => `${process.execPath} ${spy} ${role} ${report}`;
  const model = await startFakeModelServer({ apiKey: CANARY });
  onTestFinished(() => model.close());
  model.add({ events: [{ type: 'tool_call', name: 'run_command', input: { command: lineOf('command') } }] }, 'Done.');
  const config = join(cwd, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      hooks: { beforeTool: [{ command: lineOf('hook') }] },
      mcpServers: { spy: { command: process.execPath, args: [mcp, 'server', report] } },
      providers: { house: { baseUrl: 'http://127.0.0.1:9', keyEnv: 'HOUSE', models: ['m'] } },
    }),
  );
  const env = {
    PARLEY_CONFIG: config,
    PARLEY_BASE_URL: `${model.url}/v1`,
    PARLEY_MODEL: 'fake-model',
    PARLEY_API_KEY: CANARY,
    ANTHROPIC_AUTH_TOKEN: CANARY,
    PARLEY_AUTH_GEMINI_API_KEY: CANARY,
    GITHUB_TOKEN: CANARY,
    HOUSE: ODD_CANARY,
  };
  const seen = (): readonly Seen[] =>
    readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Seen);
  return { cwd, env, model, seen };
}

const NOTHING = { own: [], hasParent: true, readers: [] };
const ALL_ROLES = ['server', 'hook', 'command'].map((role) => ({ role, ...NOTHING }));

describe('keys in the environment', () => {
  it.each([
    ['exec', ['exec', '--approve-all', 'go'], ''],
    ['chat', ['chat', '--plain', '--approve-all'], 'go\n'],
  ])(
    'reach the model, and no command, hook, MCP server or readable environment: %s',
    async (name, words, input) => {
      const { cwd, env, model, seen } = await openScene(`keys-${name}`);
      const { code, stderr } = await parley.run(words, { env, cwd, input });
      expect({ code, stderr: stderr.includes('invalid API key') }).toEqual({ code: 0, stderr: false });
      expect(model.requests.length).toBeGreaterThan(1);
      expect(seen()).toEqual(ALL_ROLES);
    },
    60_000,
  );

  it('are hidden as well when an editor starts the agent, and when the server hosts it', async () => {
    const { cwd, env, seen } = await openScene('keys-agent');
    const words = [process.execPath, parley.program, 'agent', '--no-store'].join(' ');
    const relayed = await parley.run(['exec', '--approve-all', '--agent', words, 'go'], { env, cwd });
    expect(relayed).toMatchObject({ code: 0 });
    expect(seen()).toEqual(expect.arrayContaining(ALL_ROLES));
    for (const each of seen()) expect(each).toMatchObject(NOTHING);

    const hosted = await openScene('keys-serve');
    await using server = await startServer(parley, [], { env: hosted.env, cwd: hosted.cwd });
    const dialled = { PARLEY_URL: server.facts.url, PARLEY_TOKEN: server.facts.token };
    const remote = ['exec', '--approve-all', '--agent', 'local', 'go'];
    expect(await parley.run(remote, { env: dialled, cwd: hosted.cwd })).toMatchObject({ code: 0 });
    expect(hosted.seen()).toEqual(expect.arrayContaining(ALL_ROLES));
    for (const each of hosted.seen()) expect(each).toMatchObject(NOTHING);
  }, 90_000);

  it('reach a prompt that is left to the background', async () => {
    const { cwd, env, model, seen } = await openScene('keys-queued');
    const queued = await parley.run(['prompt', '--approve-all', '--no-wait', 'go'], { env, cwd });
    expect(queued).toMatchObject({ code: 0 });
    await model.waitForRequest(1);
    expect(seen()).toEqual(ALL_ROLES);
  }, 60_000);

  it('are still in the environment of agents that are not ours', async () => {
    const { cwd, env } = await openScene('keys-foreign');
    const agent = join(cwd, 'agent.mjs');
    const named = '["PARLEY_API_KEY", "GEMINI_API_KEY", "HOUSE"]';
    writeFileSync(agent, `process.stderr.write(${named}.map((name) => process.env[name]).join(' ')); process.exit(3);`);
    const { stderr } = await parley.run(['exec', '--verbose', '--agent', `${process.execPath} ${agent}`, 'go'], {
      env,
      cwd,
    });
    expect(stderr).toContain(`${CANARY} ${CANARY} ${ODD_CANARY}`);
  }, 60_000);
});
