import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

/** Plain programs, written from each of the five documents, with the real command: nothing of Parley is a stub here. */
const parley = useParley();
const DIALECTS = ['harness', 'overview', 'go', 'elephant', 'pharo'] as const;
const peer = (name: string): string => fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url));
const makeFolder = (): string => mkdtempSync(join(parley.folder, 'seed-'));

/** Joins a client program to `parley agent`, and waits until it has played its part. */
async function serve(
  dialect: string,
  flags: readonly string[],
): Promise<{ code: number | null; stderr: string; told: string }> {
  const cwd = makeFolder();
  const isTold = flags.length > 0;
  const options = { cwd, env: { ...parley.env } };
  const agent = spawn(process.execPath, [parley.program, 'agent', '--no-store', ...flags], options);
  const client = spawn(process.execPath, [peer(`${dialect}-client`), ...(isTold ? ['told'] : [])], options);
  client.stdout.pipe(agent.stdin);
  agent.stdout.pipe(client.stdin);
  let [stderr, told] = ['', ''];
  client.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  agent.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  for (const stream of [agent.stdin, client.stdin]) stream.on('error', () => {});
  const [[code]] = await Promise.all([once(client, 'close'), once(agent, 'close')]);
  return { code, stderr, told };
}

describe('parley agent', { timeout: 60_000 }, () => {
  it.each(DIALECTS)('serves a client of %s that says nothing about its dialect', async (dialect) => {
    const { code, stderr, told } = await serve(dialect, []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(told).toContain(`The client speaks the ${dialect} dialect; Parley translates`);
    expect(told.trim().split('\n')).toHaveLength(1);
  });

  it.each(DIALECTS)('serves a client of %s that it was told of', async (dialect) => {
    const { code, stderr, told } = await serve(dialect, ['--dialect', dialect]);
    expect({ code, stderr, told }).toEqual({ code: 0, stderr: '', told: '' });
  });
});

/** What a person types to get one answer out of each agent. */
const LOGINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  overview: { PARLEY_AUTH_LOGIN: 'x' },
  pharo: { PARLEY_AUTH_API_KEY: 'secret_key_here' },
};
const MORE: Readonly<Record<string, readonly string[]>> = {
  go: ['--mcp-server', '{"name": "fs", "command": "/bin/mcp"}'],
  elephant: ['--mode', 'safe'],
  pharo: ['--mode', 'ask'],
};

async function ask(dialect: string, flags: readonly string[]) {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'a.txt'), 'one');
  const agent = `'${process.execPath}' '${peer(`${dialect}-agent`)}'`;
  const args = ['exec', '--approve-all', '--agent', agent, ...(MORE[dialect] ?? []), ...flags, 'work'];
  const result = await parley.run(args, { cwd, env: LOGINS[dialect] ?? {} });
  return { ...result, file: readFileSync(join(cwd, 'a.txt'), 'utf8') };
}

describe('parley exec', { timeout: 60_000 }, () => {
  it.each(DIALECTS)('drives an agent of %s without being told its dialect, and tells it once', async (dialect) => {
    const { code, stdout, stderr, file } = await ask(dialect, []);
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        new RegExp(`^The agent speaks the ${dialect} dialect; Parley translates \\(.*\\)\\.$`),
      ),
    });
    expect(stdout).toContain('It is done.');
    expect(stdout).toContain('[done] end_turn');
    expect(file).toBe(dialect === 'overview' || dialect === 'pharo' ? 'one!' : 'one');
  });

  it.each(DIALECTS)('drives an agent of %s with --dialect, and says nothing about it', async (dialect) => {
    const { code, stdout, stderr } = await ask(dialect, ['--dialect', dialect]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('It is done.');
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
