import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bubblewrap, needs } from '@parley/testing/needs';
import { type AgentScript, MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

interface Finding {
  readonly name: string;
  readonly verdict: string;
  readonly says: string;
  readonly fix?: string;
}

const doctor = async (...args: string[]) => {
  const { code, stdout, stderr } = await parley.run(['doctor', '--json', ...args]);
  const { findings } = JSON.parse(stdout || `{"findings": [], "stderr": ${JSON.stringify(stderr)}}`) as {
    findings: Finding[];
  };
  const named = (name: string) => findings.find((finding) => finding.name === name);
  return { code, findings, named };
};

describe('parley doctor', () => {
  it('finds nothing wrong with our own agent, and keeps nothing', async () => {
    const { code, findings, named } = await doctor();
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(named('initialize')?.says).toContain('parley');
    expect(named('session')?.verdict).toBe('ok');
    expect((await parley.run(['sessions', 'list', '--all', '--json'])).stdout).toContain('"sessions":[]');
  });

  it('names the package of a missing sandbox', async () => {
    const { code, stdout } = await parley.run(['doctor', '--json', '--no-agent'], { env: { PATH: parley.home } });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(code).toBe(0);
    expect(findings.find(({ name }) => name === 'sandbox')).toMatchObject(
      process.platform === 'linux'
        ? { verdict: 'warn', says: expect.stringContaining('is not installed'), fix: 'apt-get install bubblewrap' }
        : { verdict: 'note' },
    );
  });

  it('tries the sandbox', needs(bubblewrap()), async () => {
    expect((await doctor('--no-agent')).named('sandbox')).toMatchObject({
      verdict: 'ok',
      says: expect.stringMatching(/^bubblewrap [\d.]+ at \/.*proven to hold/),
    });
  });

  const cases: readonly [string, AgentScript, string, string, string][] = [
    ['an agent that dies', MISBEHAVIOURS.diesAtStart, 'initialize', 'fail', 'no configuration found'],
    ['an agent of another version', MISBEHAVIOURS.wrongVersion, 'initialize', 'fail', 'version 7'],
    ['an agent that prints', MISBEHAVIOURS.noiseOnStdout, 'stdout', 'warn', 'no messages'],
    ['an agent that answers nonsense', MISBEHAVIOURS.invalidAnswers, 'session', 'fail', 'sessionId'],
    [
      'an agent that wants a login',
      {
        authMethods: [{ id: 'browser', name: 'Browser' }],
        on: { 'session/new': [{ do: 'fail', code: -32000, message: 'x' }] },
      },
      'session',
      'warn',
      'log in',
    ],
  ];
  it.each(cases)('says what is wrong with %s, and what to do', async (_name, script, name, verdict, says) => {
    const { named, findings } = await doctor('--', ...parley.agentWords(script));
    expect(named(name), JSON.stringify(findings)).toMatchObject({ verdict });
    expect(named(name)?.says).toContain(says);
    expect(named(name)?.fix).toBeTruthy();
  });

  it('fails with a fix for whatever fails, and a broken settings file does not stop it', async () => {
    mkdirSync(join(parley.home, 'config/parley'), { recursive: true });
    writeFileSync(join(parley.home, 'config/parley/config.json'), '{');
    const { code, findings, named } = await doctor('no-such-agent');
    expect(code).toBe(1);
    expect(named('settings')).toMatchObject({ verdict: 'fail', fix: 'parley config edit' });
    expect(named('agent')).toMatchObject({ verdict: 'fail' });
    expect(findings.filter(({ verdict, fix }) => verdict === 'fail' && !fix)).toEqual([]);
    writeFileSync(join(parley.home, 'config/parley/config.json'), '{}');
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) => (await parley.run(['__complete', ...words])).stdout.trim().split('\n');

  it('knows commands, subcommands, flags, values, agents and sessions', async () => {
    expect(await complete('se')).toEqual(['serve', 'sessions', 'set', 'set-mode']);
    expect(await complete('sessions', 'ex')).toEqual(['export']);
    expect(await complete('exec', '--appr')).toEqual(['--approve-all', '--approve-reads']);
    expect(await complete('exec', '--format', '')).toEqual(['text', 'json', 'quiet']);
    expect(await complete('exec', '--agent', 'gem')).toEqual(['gemini']);
    expect(await complete('config', 'get', 'exit')).toEqual(['exitCodes']);
    expect(await complete('compare', 'gem')).toEqual(['gemini']);
    expect(await complete('compare', '--wor')).toEqual(['--worktree']);
    expect(await complete('exec', '--auth-policy', '')).toEqual(['skip', 'fail']);
    expect(await complete('config', 'i')).toEqual(['init']);
  });

  it('knows every flag that acpx has', async () => {
    const flags = await complete('exec', '--');
    const ofAcpx = `agent cwd auth-policy approve-all approve-reads deny-all non-interactive-permissions policy format
      suppress-reads model allowed-tools max-turns system-prompt append-system-prompt prompt-retries json-strict no-fs
      no-terminal timeout ttl mcp-config verbose`;
    expect(flags).toEqual(expect.arrayContaining(ofAcpx.split(/\s+/).map((name) => `--${name}`)));
  });

  it('has a script for three shells, which bash can read', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await parley.run(['completion', shell]);
      expect(code).toBe(0);
      expect(stdout).toContain('parley __complete');
    }
    expect((await parley.run(['completion', 'tcsh'])).code).toBe(2);
  });
});

describe('parley itself', () => {
  it('prints its version and a help that names every exit code', async () => {
    const { stdout } = await parley.run(['--help']);
    expect((await parley.run(['--version'])).stdout).toBe('0.1.0\n');
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130, 143])
      expect(stdout).toMatch(new RegExp(`^ {2}${code} `, 'm'));
    expect((await parley.run(['help', 'exec'])).stdout).toContain('--config-option');
    expect((await parley.run(['exec', '--help'])).stdout).toContain('--approve-all');
  });

  it('prints help and leaves with 2 when there is no terminal to chat in', async () => {
    const { code, stderr, stdout } = await parley.run([]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('the chat needs a terminal');
  });
});
