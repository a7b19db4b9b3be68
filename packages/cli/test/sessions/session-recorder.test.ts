import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { buildSdkAgentOfBothVersions } from '@parley/testing/sdk-agent';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
let flood: BuiltProgram;
let agent: string;

beforeAll(async () => {
  flood = await buildProgram(new URL('../support/flood-agent.ts', import.meta.url));
  agent = `${process.execPath} ${flood.path}`;
}, 60_000);
afterAll(() => flood.remove());

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\.(\d+)(?:\n|\\n)/g)].map(([, digits]) => Number(digits));

describe('the record of a conversation with a foreign agent', () => {
  it.each([
    ['text', ['prompt'], ''],
    ['json', ['prompt', '--format', 'json'], ''],
    ['the plain chat', ['chat', '--plain'], 'send 20\n'],
  ])('has what was shown as %s when the command is killed', { timeout: 120_000 }, async (name, command, input) => {
    const rounds = Number(process.env.PARLEY_KILL_ROUNDS ?? 4);
    for (let round = 0; round < rounds; round += 1) {
      const session = `${name.replaceAll(' ', '-')}-${round}`;
      const isChat = input !== '';
      const words = isChat ? [] : ['--new', '--name', session, 'send 20'];
      const { process: child, finished } = parley.start([...command, '--agent', agent, ...words], { input });
      // Somewhere after the first word of the agent.
      const enough = 1 + Math.floor(Math.random() * 400_000);
      let seen = 0;
      child.stdout.on('data', (text: string) => {
        if (seen > 0 || /\.\d+(?:\n|\\n)/.test(text)) seen += text.length;
        if (seen >= enough) child.kill('SIGKILL');
      });
      const { stdout, signal } = await finished;
      expect(signal).toBe('SIGKILL');
      const { stdout: history } = await parley.run([
        'sessions',
        'history',
        '--json',
        '--agent',
        agent,
        ...(isChat ? [] : [session]),
      ]);
      expect(history).toContain('send 20');
      const shown = numbersIn(stdout);
      expect(numbersIn(history).slice(0, shown.length)).toEqual(shown);
    }
  });

  it('has the prompt once, although an agent of version 2 tells it back', { timeout: 60_000 }, async () => {
    const program = await buildSdkAgentOfBothVersions();
    onTestFinished(() => program.remove());
    const sdk = `${process.execPath} ${program.path}`;
    const words = ['--new', '--name', 'second', 'hello there'];
    const { stdout } = await parley.run(['prompt', '--protocol', '2', '--agent', sdk, ...words]);
    expect(stdout).toContain('You said: hello there');
    const { stdout: history } = await parley.run(['sessions', 'history', '--json', '--agent', sdk, 'second']);
    expect(history.split('hello there')).toHaveLength(3);
  });

  it('has the prompt before the agent has it', { timeout: 60_000 }, async () => {
    const report = join(parley.folder, 'got-it');
    const run = parley.start(['prompt', '--new', '--name', 'asked', '--agent', agent, 'send 0, please'], {
      env: { FLOOD_REPORT: report },
    });
    while (!existsSync(report)) await new Promise((resolve) => setTimeout(resolve, 1));
    run.process.kill('SIGKILL');
    await run.finished;
    const { stdout } = await parley.run(['sessions', 'history', 'asked']);
    expect(stdout).toContain('> send 0, please');
  });

  it('is whole after an ordinary end', { timeout: 60_000 }, async () => {
    const { code } = await parley.run(['prompt', '--new', '--name', 'whole', '--agent', agent, 'send 2']);
    expect(code).toBe(0);
    const { stdout } = await parley.run(['sessions', 'history', 'whole']);
    expect(numbersIn(stdout)).toHaveLength(20_000);
    const again = parley.agent({ on: { 'session/prompt': sayAndEnd('fine') } });
    expect((await parley.run(['prompt', '--new', '--agent', again, 'hello'])).code).toBe(0);
  });
});
