import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../src/command/run-command.ts';
import type { Report } from '../src/report/report.ts';
import { FIXTURE_PROMPTS } from './fixtures/agent/fixture-turns.ts';

let fixture: BuiltProgram;
let folder: string;

beforeAll(async () => {
  fixture = await buildProgram(new URL('./fixtures/agent/fixture-main.ts', import.meta.url));
  folder = await mkdtemp(join(tmpdir(), 'parley-command-'));
});

afterAll(async () => {
  await fixture.remove();
  await rm(folder, { recursive: true, force: true });
});

const PROMPTS = [
  ['--prompt', FIXTURE_PROMPTS.plain],
  ['--prompt-for-tool-call', FIXTURE_PROMPTS.toolCall],
  ['--prompt-for-permission', FIXTURE_PROMPTS.permission],
  ['--prompt-for-terminal', FIXTURE_PROMPTS.terminal],
  ['--prompt-for-long-turn', FIXTURE_PROMPTS.longTurn],
].flat();

async function run(...argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runCommand(argv, {
    command: 'parley-check',
    stdout: { write: (text) => void stdout.push(text) },
    stderr: { write: (text) => void stderr.push(text) },
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** The agent as a command, with what is wrong with it. */
function agent(...args: readonly string[]): readonly string[] {
  return ['--', process.execPath, fixture.path, ...args];
}

describe('the command', () => {
  it('says that all is well and exits with 0', async () => {
    const { code, stdout } = await run(...PROMPTS, '--only', 'PROMPT-07,framing', ...agent());
    expect(code).toBe(0);
    expect(stdout).toContain('ACP v1 · fixture 1.0.0');
    expect(stdout).toContain('MUST 6/6 ✓');
  });

  it('exits with 1 when a MUST is broken, and its repro line shows the same again', async () => {
    const { code, stdout } = await run(...PROMPTS, '--only', 'PROMPT,RPC-11', ...agent('--break', 'PROMPT-07'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ PROMPT-07 MUST {2}A cancelled turn answers stopReason "cancelled"/);
    expect(stdout).toContain('error -32603 "aborted"');
    const repro = /repro: parley-check (.*)/.exec(stdout)?.[1] ?? '';
    const again = await run(...words(repro));
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('1 checks');
    expect(again.stdout).toContain('✗ PROMPT-07');
  });

  it('names both checks in the repro line when one has heard what the other brought about', async () => {
    const { stdout } = await run('--only', 'RPC-15,CLOSE-01', ...agent('--break', 'RPC-15'));
    expect(stdout).toMatch(/repro: parley-check --only RPC-15,CLOSE-01 -- /);
  });

  it('only warns about anything less than a MUST', async () => {
    const { code, stdout } = await run('--only', 'RPC-01,FRAME-05', ...agent('--break', 'FRAME-05'));
    expect(stdout).toContain('⚠ FRAME-05 ROBUST');
    expect(code).toBe(0);
  });

  it('never hangs on an agent that does', async () => {
    const { code, stdout } = await run('--timeout', '0.3', ...agent('--hang'));
    expect(code).toBe(1);
    expect(stdout).toContain('✗ INIT-01');
    expect(stdout).toContain('no answer within 300 ms');
    expect(stdout).toContain('166 skipped');
  });

  it('prints the report as JSON, and compares with it later', async () => {
    const before = join(folder, 'before.json');
    const first = await run(...PROMPTS, '--json', '--report', before, '--only', 'RPC', ...agent('--break', 'RPC-11'));
    const report = JSON.parse(first.stdout) as Report;
    expect(report).toEqual(JSON.parse(await readFile(before, 'utf8')));
    expect(report.results.find(({ id }) => id === 'RPC-11')).toMatchObject({
      outcome: 'fail',
      expected: 'error -32601',
    });
    const later = await run(...PROMPTS, '--compare', before, '--only', 'RPC', ...agent('--break', 'RPC-12'));
    expect(later.stdout).toContain('newly failing: RPC-12');
    expect(later.stdout).toContain('fixed: RPC-11');
  });

  it('writes every kind of report', async () => {
    const files = ['a.json', 'a.xml', 'a.md', 'a.html'].map((name) => join(folder, name));
    await run('--only', 'RPC-11', ...files.flatMap((file) => ['--report', file]), ...agent('--break', 'RPC-11'));
    const [json, xml, markdown, html] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(JSON.parse(json ?? '')).toMatchObject({ format: 'parley-check/1', role: 'agent' });
    expect(xml).toContain('<failure message="expected error -32601, got error -32603');
    expect(markdown).toContain('### ✗ RPC-11 (MUST)');
    expect(html).toContain('<details class="check fail" id="RPC-11" open>');
  });

  it('checks the version it is told to, and says which', async () => {
    const second = agent('--protocol', '2');
    const { code, stdout } = await run(...PROMPTS, '--protocol', '2', '--only', 'PROMPT-09,INIT-11', ...second);
    expect(stdout).toContain('ACP v2 · fixture 2.0.0');
    expect(stdout).toContain('MUST 2/2 ✓');
    expect(code).toBe(0);
    const broken = await run('--protocol', '2', '--only', 'INIT-11', ...second, '--break', 'INIT-11');
    expect(broken.stdout).toMatch(/repro: parley-check --protocol 2 --only INIT-11 -- /);
    expect(broken.code).toBe(1);
  });

  it('finds the version out by itself when it is told to', async () => {
    const versionOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run('--protocol', 'auto', '--json', '--only', 'INIT-01', ...agent(...args));
      const { protocolVersion, results } = JSON.parse(stdout) as Report;
      return { protocolVersion, outcomes: results.map(({ outcome }) => outcome) };
    };
    expect(await versionOf('--protocol', '2')).toEqual({ protocolVersion: 2, outcomes: ['pass'] });
    expect(await versionOf()).toEqual({ protocolVersion: 1, outcomes: ['pass'] });
  });

  it('tells an agent that does not speak the version which one it speaks', async () => {
    const { stdout } = await run('--protocol', '2', '--only', 'PROMPT-09', '--verbose', ...agent());
    expect(stdout).toContain('The agent answers version 1; check that with --protocol 1.');
  });

  it('repeats as often as it is told', async () => {
    const { stdout } = await run('--repeat', '2', '--only', 'INIT-02', '--json', ...agent());
    const { repeat, results } = JSON.parse(stdout) as Report;
    expect(repeat).toBe(2);
    expect(results).toMatchObject([{ id: 'INIT-02', outcome: 'pass', rounds: ['pass', 'pass'] }]);
  });

  it.each([
    { argv: ['--only', 'NOPE-1', '--', 'x'], says: 'No check is named by "NOPE-1"' },
    { argv: ['node', 'agent.js'], says: 'Put the command after "--"' },
    { argv: [], says: 'Nothing to check' },
    { argv: ['--repeat', 'often', '--', 'x'], says: '--repeat takes' },
    { argv: ['--format', 'pdf', '--', 'x'], says: '--format is one of' },
    { argv: ['--report', 'x.doc', '--', 'x'], says: 'cannot tell the format' },
    { argv: ['--compare', '/no/such/file.json', '--', 'x'], says: 'Cannot read the earlier report' },
    { argv: ['--nonsense', '--', 'x'], says: 'nonsense' },
    { argv: ['--protocol', '3', '--', 'x'], says: '--protocol is 1, 2 or auto, not "3"' },
    { argv: ['--client', '--protocol', 'auto', '--', 'x'], says: '--protocol is 1 or 2, not "auto"' },
    { argv: ['wss://example.com/acp'], says: 'parley connect wss://' },
    { argv: ['--client'], says: 'Give the client' },
  ])('explains $argv and exits with 2', async ({ argv, says }) => {
    const { code, stderr } = await run(...argv);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
  });

  it('exits with 6 when the agent cannot be started', async () => {
    const { code, stderr } = await run('--', '/no/such/agent');
    expect(stderr).toContain('Cannot start "/no/such/agent"');
    expect(code).toBe(6);
  });

  it('exits with 6 when a client never talks to the agent', async () => {
    const { code, stderr } = await run(
      '--client',
      '--only',
      'CINIT-01,CRPC-02',
      '--',
      process.execPath,
      '-e',
      'process.exit(3)',
    );
    expect(stderr).toContain('Nothing could be told about this client.');
    expect(stderr).toContain('exited with code 3');
    expect(code).toBe(6);
  });

  it('finds the files in the command of a client from where the person is', async () => {
    const client = join(folder, 'client.mjs');
    await writeFile(client, 'process.exit(4)');
    const { stderr } = await run(
      '--client',
      '--only',
      'CINIT-01,CRPC-02',
      '--',
      process.execPath,
      relative('.', client),
    );
    expect(stderr).toContain('exited with code 4');
  });

  it('leaves the options of the agent alone', async () => {
    const { stdout } = await run('--only', 'INIT-02', ...agent('--break', 'INIT-02'));
    expect(stdout).toContain('✗ INIT-02');
  });

  it('lists the checks and explains itself', async () => {
    expect((await run('--list')).stdout).toMatch(/^PROMPT-07 +MUST/m);
    expect((await run('--protocol', '2', '--list')).stdout).toMatch(/^STATE-01 +MUST/m);
    expect((await run('--client', '--list')).stdout).toMatch(/^CPERM-01 +MUST/m);
    expect((await run('--help')).stdout).toContain('--prompt-for-permission');
  });
});

/** Splits a command line that a shell would read: words, and words in single quotes. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
