import { SUBAGENT_SCRIPTS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** The lines of a background sub-agent in every text view. */
const SHOWN = [
  '[tool] Make a file (completed',
  'I am the child.',
  'The child made the file.',
  '[tool] touch made-by-sub.txt (completed',
];

describe('sub-agents with sessions of their own', () => {
  it('get their permissions in exec, which ends after them', async () => {
    const agent = parley.agent(SUBAGENT_SCRIPTS.background);
    const { code, stdout } = await parley.run(['exec', '--approve-all', '--agent', agent, 'Go']);
    expect(code).toBe(0);
    for (const words of SHOWN) expect(stdout).toContain(words);
    expect(stdout).toMatch(/The sub-agent is done\.\n\[done\] end_turn \(30 tokens in, 17 out\)\n$/);
    expect(stdout).not.toContain('session_message');
  });

  it('are denied without a terminal, and stderr names the flag that allows their call', async () => {
    const agent = parley.agent(SUBAGENT_SCRIPTS.foreground);
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'Go']);
    expect(code).toBe(5);
    expect(stderr).toContain('not allowed: touch made-by-sub.txt');
    expect(stderr).toContain("--allow 'Bash(touch made-by-sub.txt)'");
  });

  it('ask in the plain chat', async () => {
    const agent = parley.agent(SUBAGENT_SCRIPTS.background);
    const { code, stdout } = await parley.run(['chat', '--plain', '--agent', agent], { input: 'Go\n1\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('Asked by the sub-agent "Make a file".');
    expect(stdout).toContain('tool: Make a file (completed');
    expect(stdout).toContain('tool: touch made-by-sub.txt (completed');
    expect(stdout).toContain('agent: The sub-agent is done.');
    expect(stdout).not.toContain('Unknown update');
  });

  it('are part of the history of a saved session', async () => {
    const agent = parley.agent(SUBAGENT_SCRIPTS.background);
    const { code } = await parley.run(['prompt', '--approve-all', '--agent', agent, 'Go']);
    expect(code).toBe(0);
    const { stdout } = await parley.run(['sessions', 'history', '--agent', agent]);
    for (const words of SHOWN) expect(stdout).toContain(words);
    expect(stdout).not.toContain('session_message');
  });

  it('are cancelled with an exec that is interrupted', async () => {
    const agent = parley.agent(SUBAGENT_SCRIPTS.endless);
    const exec = parley.start(['exec', '--approve-all', '--agent', agent, 'Go']);
    await exec.sees('[tool] touch made-by-sub.txt (running)');
    exec.process.kill('SIGINT');
    const { code, stdout } = await exec.finished;
    expect(code).toBe(130);
    expect(stdout).toContain('[tool] Make a file (cancelled');
  });
});
