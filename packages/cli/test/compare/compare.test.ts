import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areGone } from '@parley/testing/processes';
import { type AgentScript, MISBEHAVIOURS, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { CompareRow } from '../../src/compare/compare-row.ts';
import { useParley } from '../support/parley.ts';
import { asksPermission } from '../support/scripts.ts';

const parley = useParley();

const counts: AgentScript = {
  on: {
    'session/prompt': [
      { do: 'say', text: 'first line\nsecond line of <$prompt>' },
      {
        do: 'respond',
        result: { stopReason: 'end_turn', usage: { totalTokens: 12, inputTokens: 10, outputTokens: 2 } },
      },
    ],
  },
};
const asks: AgentScript = {
  on: {
    'session/prompt': [asksPermission(), ...sayAndEnd('asked')],
  },
};

async function compare(args: readonly string[], options = {}) {
  const { code, stdout, stderr } = await parley.run(['compare', '--format', 'json', ...args], options);
  return { code, stderr, rows: (stdout === '' ? [] : JSON.parse(stdout)) as CompareRow[] };
}

describe('parley compare', () => {
  it('puts one prompt to each agent and tells of each in a row', async () => {
    const [good, other] = [parley.agent(counts), parley.agent({ on: { 'session/prompt': sayAndEnd('other') } })];
    const { code, rows, stderr } = await compare([good, other, 'the prompt']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(rows).toMatchObject([
      {
        agent: good,
        status: 'ok',
        stop_reason: 'end_turn',
        input_tokens: 10,
        output_tokens: 2,
        total_tokens: 12,
        final_message: 'first line second line of <the prompt>',
        error: null,
        permission_requests: 0,
        permission_denied: 0,
      },
      { agent: other, status: 'ok', total_tokens: null, final_message: 'other' },
    ]);
    expect(rows.every(({ wall_ms }) => wall_ms > 0)).toBe(true);
  });

  it('prints a table, or names and statuses alone', async () => {
    await parley.run(['agents', 'add', 'good', '--', ...parley.agentWords(counts)]);
    const table = await parley.run(['compare', 'good', 'good', 'x']);
    expect(table.stdout).toMatch(/^agent {2}status {2}wall_ms {2}tokens .* final_message\n/);
    expect(table.stdout).toMatch(/\ngood {3}ok {6}\d+ +12 \(10 in, 2 out\) {2}0\/0 +end_turn +first line second/);
    expect(table.stderr).toBe('1/2 good\n2/2 good\n');
    const quiet = await parley.run(['compare', '--format', 'quiet', 'good', 'good', 'x']);
    expect(quiet).toMatchObject({ code: 0, stdout: 'good\tok\ngood\tok\n', stderr: '' });
  });

  it('takes the prompt from a file, from stdin, and from words after --', async () => {
    writeFileSync(join(parley.folder, 'prompt.txt'), 'from a file');
    const agent = parley.agent(counts);
    const say = async (args: readonly string[], input?: string) =>
      (await compare(args, input === undefined ? {} : { input })).rows.map(({ final_message }) => final_message);
    expect(await say([agent, agent, '-f', 'prompt.txt'])).toEqual(
      Array(2).fill(expect.stringContaining('<from a file>')),
    );
    expect(await say([agent, '--prompt-file', '-'], 'from stdin')).toEqual([expect.stringContaining('<from stdin>')]);
    expect(await say([agent, '--', 'several', 'words'])).toEqual([expect.stringContaining('<several words>')]);
  });

  const failures: readonly [string, AgentScript, readonly string[], number, object][] = [
    [
      'an agent that dies',
      MISBEHAVIOURS.diesMidTurn,
      [],
      1,
      { status: 'error', exit: 'agentDied', final_message: 'half a sen' },
    ],
    [
      'an agent that dies at once',
      MISBEHAVIOURS.diesAtStart,
      [],
      1,
      { status: 'error', exit: 'agentDied', wall_ms: expect.any(Number) },
    ],
    [
      'an agent that fails',
      { on: { 'session/prompt': [{ do: 'fail', code: -32603, message: 'overloaded' }] } },
      [],
      1,
      { status: 'error', error: expect.stringContaining('overloaded') },
    ],
    [
      'an agent that takes too long',
      MISBEHAVIOURS.neverAnswersPrompt,
      // The other agent has to come up in this time too.
      ['--timeout', '8'],
      3,
      { status: 'cancelled', exit: 'timeout', error: expect.stringContaining('Gave up after 8 s') },
    ],
    [
      'an agent that cancels',
      { on: { 'session/prompt': [{ do: 'respond', result: { stopReason: 'cancelled' } }] } },
      [],
      3,
      { status: 'cancelled', stop_reason: 'cancelled' },
    ],
    [
      'an agent that is denied something',
      asks,
      [],
      5,
      { status: 'permission_denied', permission_requests: 1, permission_denied: 1 },
    ],
  ];
  it.concurrent.each(failures)('makes %s a row, and goes on', async (_name, script, flags, expected, row) => {
    const { code, rows, stderr } = await compare([...flags, parley.agent(script), parley.agent(counts), 'Hi']);
    expect(code, stderr).toBe(expected);
    expect(rows).toMatchObject([row, { status: 'ok' }]);
  });

  it('allows what the flags allow', async () => {
    const { code, rows } = await compare(['--approve-all', parley.agent(asks), 'Hi']);
    expect(code).toBe(0);
    expect(rows).toMatchObject([{ status: 'ok', permission_requests: 1, permission_denied: 0 }]);
  });

  it('makes an agent that is known and not installed a row', async () => {
    const { code, rows } = await compare(['qoder', parley.agent(counts), 'Hi'], { env: { PATH: '/nowhere' } });
    expect(code).toBe(1);
    expect(rows).toMatchObject([
      { status: 'error', error: expect.stringContaining('not installed') },
      { status: 'ok' },
    ]);
  });

  it.each([
    ['a typo in a name', ['gemini', 'cluade', 'Hi'], '"claude"'],
    ['a prompt without agents', ['Hi'], 'Both agents and a prompt'],
    ['a file without agents', ['-f', 'prompt.txt', '--', 'words'], 'no agent'],
    ['--agent', ['--agent', 'gemini', 'gemini', 'Hi'], 'parley compare gemini'],
    ['two files', ['gemini', '-f', 'a', '--prompt-file', 'b'], 'different files'],
    ['a wrong timeout', ['gemini', 'Hi', '--timeout', 'soon'], 'seconds'],
    ['worktrees of no repository', ['parley', 'Hi', '--worktree'], 'git repository'],
  ])('refuses %s before anything runs', async (_name, args, hint) => {
    const { code, rows, stderr } = await compare(args);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(hint);
    expect(rows).toEqual([]);
  });

  it('stops at Ctrl-C with the rows so far, and leaves nothing behind', { timeout: 20_000 }, async () => {
    const slow = parley.agent({
      on: {
        'session/prompt': [
          { do: 'tell', what: 'pid' },
          { do: 'waitFor', method: 'session/cancel' },
          { do: 'respond', result: { stopReason: 'cancelled' } },
        ],
      },
    });
    const trace = join(parley.folder, 'trace.ndjson');
    const running = parley.start([
      'compare',
      '--json',
      '--trace',
      trace,
      parley.agent(counts),
      slow,
      parley.agent(counts),
      'Hi',
    ]);
    await expect.poll(() => readTrace(trace), { timeout: 15_000 }).toMatch(/pid \d+/);
    running.process.kill('SIGINT');
    const { code, stdout } = await running.finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'ok' }, { status: 'cancelled' }]);
    expect(await areGone([Number(/pid (\d+)/.exec(readTrace(trace))?.[1])], 5000)).toBe(true);
  });
});

function readTrace(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
