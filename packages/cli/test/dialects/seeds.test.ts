import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

/** Plain programs, written from each of the five documents, with the real command: nothing of Parley is a stub here. */
const parley = useParley();
const DIALECTS = ['harness', 'overview', 'go', 'elephant', 'pharo'] as const;
const peer = (name: string): string => fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url));
const makeFolder = (): string => mkdtempSync(join(parley.folder, 'seed-'));

interface ServeOptions {
  readonly flags?: readonly string[];
  /** `told`: the agent knows the dialect. `again`: loads the session of the file in `SESSION`, which an earlier run has left. */
  readonly part?: 'told' | 'again';
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Played {
  readonly code: number | null;
  readonly stderr: string;
  /** What `parley agent` has said. */
  readonly told: string;
}

/** Joins a client program to `parley agent`, and waits until it has played its part. */
async function serve(
  dialect: string,
  { flags = [], part, cwd = makeFolder(), env = {} }: ServeOptions,
): Promise<Played> {
  const options = { cwd, env: { ...parley.env, ...env } };
  const agent = spawn(process.execPath, [parley.program, 'agent', ...flags], options);
  const client = spawn(process.execPath, [peer(`${dialect}-client`), ...(part ? [part] : [])], options);
  client.stdout.pipe(agent.stdin);
  agent.stdout.pipe(client.stdin);
  for (const stream of [agent.stdin, client.stdin]) stream.on('error', () => {});
  const [stderr, told] = [text(client.stderr), text(agent.stderr)];
  const [[code]] = await Promise.all([once(client, 'close'), once(agent, 'close')]);
  return { code, stderr: await stderr, told: await told };
}

/** Lets a client program dial an address. */
async function dial(dialect: string, address: string, { part, cwd = makeFolder(), env = {} }: ServeOptions) {
  const options = { cwd, env: { ...parley.env, ...env, ADDRESS: address } };
  const client = spawn(process.execPath, [peer(`${dialect}-client`), ...(part ? [part] : [])], options);
  const stderr = text(client.stderr);
  const [code] = await once(client, 'close');
  return { code, stderr: await stderr };
}

describe('parley agent', { timeout: 120_000 }, () => {
  it.each(DIALECTS)('serves a client of %s that says nothing about its dialect', async (dialect) => {
    const { code, stderr, told } = await serve(dialect, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(told).toContain(`The client speaks the ${dialect} dialect; Parley translates`);
    expect(told.trim().split('\n')).toHaveLength(1);
  });

  it('serves a client of elephant in lines, which shows its dialect by a login that is not listed', async () => {
    const { code, stderr, told } = await serve('elephant', { env: { FRAMING: 'lines' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(told).toContain('The client speaks the elephant dialect');
  });

  it.each(DIALECTS)('serves a client of %s that it was told of', async (dialect) => {
    const { code, stderr, told } = await serve(dialect, { flags: ['--no-store', '--dialect', dialect], part: 'told' });
    expect({ code, stderr, told }).toEqual({ code: 0, stderr: '', told: '' });
  });

  it.each(['harness', 'pharo'])(
    'loads a session for a client of %s by its id alone, in another process and folder',
    async (dialect) => {
      const cwd = makeFolder();
      expect(await serve(dialect, { cwd })).toMatchObject({ code: 0, stderr: '' });
      const env = { SESSION: join(cwd, 'session.txt') };
      expect(await serve(dialect, { part: 'again', env })).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

/** The wires that the documents have beside pipes. */
const WIRES = [
  ['elephant', 'http+sse', ''],
  ['pharo', 'ws', '/acp'],
  ['pharo', 'http+post', '/acp/post'],
] as const;

describe.each([
  ['parley agent --listen', ['agent', '--listen', '--port', '0', '--json']],
  ['parley serve', ['serve', '--port', '0', '--json']],
])('%s', { timeout: 120_000 }, (_, words) => {
  /** Starts a server of its own, and lets a client play its part there. */
  const serveOnce = async (dialect: string, wire: (port: number) => string, options: ServeOptions) => {
    const { cwd = makeFolder() } = options;
    const server = parley.start(words, { input: undefined, cwd, env: { PARLEY_TOKEN: 'token-of-the-tests' } });
    try {
      const [line] = await once(createInterface({ input: server.process.stdout }), 'line');
      const { port } = JSON.parse(line as string) as { port: number };
      return await dial(dialect, wire(port), options);
    } finally {
      server.process.kill('SIGKILL');
      await server.finished;
    }
  };

  it.each(WIRES)('serves a client of %s over %s that says nothing about its dialect', async (dialect, scheme, path) => {
    const cwd = makeFolder();
    const env = { TOKEN: 'token-of-the-tests', SESSION: join(cwd, 'session.txt') };
    const wire = (port: number): string => `${scheme}://127.0.0.1:${port}${path}`;
    expect(await serveOnce(dialect, wire, { cwd, env })).toEqual({ code: 0, stderr: '' });
    if (dialect === 'elephant') return;
    expect(await serveOnce(dialect, wire, { part: 'again', env })).toEqual({ code: 0, stderr: '' });
  });
});

/** What a person types to get one answer out of each agent. */
const LOGINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  overview: { PARLEY_AUTH_LOGIN: 'x' },
  pharo: { PARLEY_AUTH_API_KEY: 'secret_key_here' },
};
const SERVER = '{"name": "fs", "command": "/bin/mcp", "args": ["/data"], "env": {"A": "b"}}';
const MODES: Readonly<Record<string, readonly string[]>> = {
  elephant: ['--mode', 'safe'],
  pharo: ['--mode', 'ask'],
};

/** What each agent must have played when one prompt is answered. */
const COMMON = ['initialize', 'session/new', 'an MCP server', 'session/request_permission', 'session/prompt'];
const FLOWS: Readonly<Record<(typeof DIALECTS)[number], readonly string[]>> = {
  harness: COMMON,
  overview: [...COMMON, 'authenticate', 'fs/read_text_file and fs/write_text_file'],
  go: COMMON,
  elephant: [...COMMON, 'session/set_mode'],
  pharo: [...COMMON, 'authenticate', 'session/set_mode', 'fs/read_text_file and fs/write_text_file', 'terminals'],
};

const agentOf = (dialect: string): string => `'${process.execPath}' '${peer(`${dialect}-agent`)}'`;
const playedIn = (file: string): Set<string> =>
  new Set(existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

interface AskOptions {
  /** Where the agent is; its program by default. */
  readonly agent?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function ask(dialect: string, flags: readonly string[], options: AskOptions = {}) {
  const { agent = agentOf(dialect), env = {}, cwd = makeFolder() } = options;
  const flows = join(cwd, 'flows.txt');
  writeFileSync(join(cwd, 'a.txt'), 'one');
  const more = ['--mcp-server', SERVER, ...(MODES[dialect] ?? []), ...flags];
  const args = ['exec', '--approve-all', '--terminal', '--agent', agent, ...more, 'work'];
  const result = await parley.run(args, { cwd, env: { ...LOGINS[dialect], FLOWS: flows, ...env } });
  return { ...result, file: readFileSync(join(cwd, 'a.txt'), 'utf8'), flows: playedIn(flows) };
}

/** An agent program on the network. Resolves with its port and the file of its flows. */
async function host(dialect: string, kind: string) {
  const cwd = makeFolder();
  const flows = join(cwd, 'flows.txt');
  const env = { ...parley.env, SERVES: kind, FLOWS: flows };
  const child = spawn(process.execPath, [peer(`${dialect}-agent`)], { cwd, env });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    host: `127.0.0.1:${line}`,
    cwd,
    flows,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

describe('parley exec over the network', { timeout: 120_000 }, () => {
  it.each([
    ['elephant', 'sse', 'http+sse://', ''],
    ['pharo', 'websocket', 'ws://', '/ws'],
  ] as const)('drives an agent of %s over %s without being told its dialect', async (dialect, kind, scheme, path) => {
    await using server = await host(dialect, kind);
    const { code, stdout, stderr } = await ask(dialect, [], {
      agent: `${scheme}${server.host}${path}`,
      cwd: server.cwd,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`speaks the ${dialect} dialect`) });
    expect(stdout).toContain('It is done.');
    expect(playedIn(server.flows)).toEqual(new Set(FLOWS[dialect]));
  });

  it.each(['http+post', 'http'])(
    'drives an agent of pharo by plain POST at %s://, whose answers have no text',
    async (scheme) => {
      await using server = await host('pharo', 'post');
      const { code, stderr } = await ask('pharo', [], { agent: `${scheme}://${server.host}/api` });
      expect(code).toBe(1);
      expect(stderr).toContain('has no stream on which its answer and its questions could be received');
      const played = [
        'initialize',
        'authenticate',
        'session/new',
        'an MCP server',
        'session/set_mode',
        'session/prompt',
      ];
      expect(playedIn(server.flows)).toEqual(new Set(played));
    },
  );

  it('takes {"transport": "http"} of the settings for what the server knows', async () => {
    await using server = await host('pharo', 'post');
    const config = join(makeFolder(), 'config.json');
    const seed = { transport: 'http', url: `http://${server.host}/api`, headers: { Authorization: 'Bearer token123' } };
    writeFileSync(config, JSON.stringify({ agents: { seed } }));
    const { code, stderr } = await ask('pharo', [], { agent: 'seed', env: { PARLEY_CONFIG: config } });
    expect(code).toBe(1);
    expect(stderr).toContain('has no stream on which its answer and its questions could be received');
    expect(playedIn(server.flows)).toContain('session/prompt');
  });
});

describe('parley exec', { timeout: 60_000 }, () => {
  it.each(DIALECTS)('drives an agent of %s without being told its dialect, and tells it once', async (dialect) => {
    const { code, stdout, stderr, file, flows } = await ask(dialect, []);
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        new RegExp(`^The agent speaks the ${dialect} dialect; Parley translates \\(.*\\)\\.$`),
      ),
    });
    expect(stdout).toContain('It is done.');
    expect(stdout).toContain('[done] end_turn');
    expect(file).toBe(dialect === 'overview' || dialect === 'pharo' ? 'one!' : 'one');
    expect(flows).toEqual(new Set(FLOWS[dialect]));
  });

  it.each(DIALECTS)('cancels a turn of an agent of %s', async (dialect) => {
    const cwd = makeFolder();
    const env = { ...LOGINS[dialect], FLOWS: join(cwd, 'flows.txt') };
    const running = parley.start(['exec', '--agent', agentOf(dialect), 'wait'], { cwd, env });
    await running.sees('Waiting.');
    running.process.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
    expect(playedIn(env.FLOWS)).toContain('session/cancel');
  });

  it.each(DIALECTS)('loads a session of an agent of %s in another process', async (dialect) => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'a.txt'), 'one');
    const env = { ...LOGINS[dialect], FLOWS: join(cwd, 'flows.txt') };
    const args = ['prompt', '--approve-all', '--terminal', '--agent', agentOf(dialect), 'work'];
    for (let turn = 1; turn <= 2; turn += 1) expect((await parley.run(args, { cwd, env })).code).toBe(0);
    expect(playedIn(env.FLOWS)).toContain('session/load');
    if (dialect === 'go') expect(playedIn(env.FLOWS)).toContain('retry after -32001');
  });

  it.each(DIALECTS)('drives an agent of %s with --dialect, and says nothing about it', async (dialect) => {
    const { code, stdout, stderr, flows } = await ask(dialect, ['--dialect', dialect]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('It is done.');
    expect(flows).toEqual(new Set(FLOWS[dialect]));
  });

  it('shows what a dialect cannot carry with --verbose', async () => {
    const { stderr } = await ask('pharo', ['--verbose']);
    expect(stderr).toContain('The agent speaks the pharo dialect');
    expect(stderr).toContain('dialect: The agent does not list "stdio" as an MCP transport');
  });

  it('takes an agent at its word with --dialect none, and knows no other names', async () => {
    const { stdout } = await ask('pharo', ['--dialect', 'none']);
    expect(stdout).not.toContain('It is done.');
    const { code, stderr } = await ask('pharo', ['--dialect', 'pharao']);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no dialect "pharao". Did you mean');
  });
});
