import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFlakyAgent, type FlakyAgent } from '@parley/testing/flaky-agent';
import { untilGone } from '@parley/testing/processes';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveEcho, TOKEN } from '../support/network-agent.ts';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();
const inFolder = (name: string): string => join(parley.folder, name);
const results = (name: string): Record<string, unknown>[] => readLines(readFileSync(inFolder(name), 'utf8'));
const says = { on: { 'session/prompt': sayAndEnd('<$prompt>') } };

let flaky: FlakyAgent;
/** The flaky agent as words, with a count of its own. */
function flakyWords(name: string): readonly string[] {
  mkdirSync(inFolder(name), { recursive: true });
  const { command, args } = flaky.command(inFolder(name));
  return [command, ...args];
}
/** The processes of the flaky agent that have counted there. */
const agentsOf = (name: string): number[] =>
  readdirSync(inFolder(name)).flatMap((file) => (file.startsWith('pid-') ? [Number(file.slice(4))] : []));
const cases = (name: string, ...values: readonly object[]): string => {
  writeFileSync(inFolder(name), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  return name;
};

beforeAll(async () => {
  flaky = await buildFlakyAgent();
  writeFileSync(
    inFolder('right.mjs'),
    "export const grade = ({ output }) => ({ pass: output === 'right', score: output === 'right' ? 1 : 0 });",
  );
});
afterAll(() => flaky.remove());

describe('parley eval trials', () => {
  it('finds the pass rates of an agent whose pass rates are known, many attempts at a time', async () => {
    const file = cases(
      'rates.jsonl',
      { id: 'always', input: '5/5 a' },
      { id: 'often', input: '3/5 b', hint: 'right' },
      { id: 'never', input: '0/5 c' },
    );
    const args = [
      'eval',
      'trials',
      file,
      '-k',
      '5',
      '-j',
      '4',
      '-g',
      'right.mjs',
      '--in-order',
      '-o',
      'rates-out.jsonl',
    ];
    const { code, stderr } = await parley.run([...args, '--fail-under', '0.6', '--', ...flakyWords('rates')]);
    expect(stderr).toContain('trials: 8 passed, 7 failed; 53 % pass');
    expect(code).toBe(1);
    expect(results('rates-out.jsonl')).toMatchObject([
      { id: 'always', passRate: 1, passAtK: 1, passExpK: 1 },
      { id: 'often', k: 5, passRate: 0.6, passAtK: 1 - 0.4 ** 5, passExpK: 0.6 ** 5, estimator: 'plug-in' },
      { id: 'never', passRate: 0, passAtK: 0, passExpK: 0 },
    ]);
  });

  it.each([
    [['-k', 'abc'], '-k is a whole number'],
    [['-k', '5', '-n', '3'], '--trials 3 is fewer than -k 5'],
    [['-j', '0'], '--concurrency is a whole number'],
    [['--timeout', 'abc'], '--timeout is a number of seconds'],
    [['--fail-under', '80'], '--fail-under is a share from 0 to 1'],
    [['--grader-timeout', 'x', '-g', 'right.mjs'], '--grader-timeout is a number'],
    [['--keep', 'failed'], '--keep is about folders of their own'],
    [['--fresh', '--worktree'], '--fresh and --worktree contradict each other'],
    [['-g', 'nothing.py'], 'Grader not found: nothing.py'],
    [['--resume'], '--resume needs the file'],
    [['--trace', 'trace'], 'A trace has one agent, and a run has many'],
  ])('refuses %j before anything runs', async (flags, message) => {
    const file = cases('one.jsonl', { id: 'a', input: 'x' });
    const { code, stderr, stdout } = await parley.run([
      'eval',
      'trials',
      file,
      ...flags,
      '--',
      ...parley.agentWords(says),
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('parley eval capture', () => {
  it("leaves the agent's own flags to the agent", async () => {
    const file = cases('flags.jsonl', { id: 'a', input: 'x' });
    writeFileSync(
      inFolder('tells-flags.sh'),
      `#!/bin/sh\nexec ${parley.agentWords(says)[0]} ${parley.agentWords(says)[1]} "{\\"on\\":{\\"session/prompt\\":[{\\"do\\":\\"say\\",\\"text\\":\\"$*\\"},{\\"do\\":\\"respond\\",\\"result\\":{\\"stopReason\\":\\"end_turn\\"}}]}}"\n`,
    );
    const words = ['sh', 'tells-flags.sh', '-o', 'mine', '--timeout', '-c', '--help', '--schema', 'x'];
    const { code, stdout } = await parley.run(['eval', 'capture', file, '--', ...words]);
    expect(code).toBe(0);
    expect(readLines(stdout)).toMatchObject([{ id: 'a', output: '-o mine --timeout -c --help --schema x' }]);
    expect(existsSync(inFolder('mine'))).toBe(false);
  });

  it('does not overwrite, appends, replaces, and goes on where it was', async () => {
    const file = cases('three.jsonl', ...['a', 'b', 'c'].map((id) => ({ id, input: id })));
    const agent = ['--agent', parley.agent(says)];
    writeFileSync(inFolder('out.jsonl'), '{"id":"a","input":"a"}\n{"id":"b","inp');
    const refused = await parley.run(['eval', 'capture', file, '-o', 'out.jsonl', ...agent]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('out.jsonl exists; nothing was run');
    expect(refused.stderr).toContain('--resume');
    const resumed = await parley.run(['eval', 'capture', file, '-o', 'out.jsonl', '--resume', ...agent]);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain('1 cases are done already');
    expect(resumed.stderr).toContain('was torn');
    expect(results('out.jsonl').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    await parley.run([
      'eval',
      'capture',
      cases('d.jsonl', { id: 'd', input: 'd' }),
      '-o',
      'out.jsonl',
      '--append',
      ...agent,
    ]);
    expect(results('out.jsonl').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    await parley.run(['eval', 'capture', 'd.jsonl', '-o', 'out.jsonl', '--force', ...agent]);
    expect(results('out.jsonl').map(({ id }) => id)).toEqual(['d']);
  });

  it('goes on after kill -9 with what is left, and leaves no agent behind', async () => {
    const file = cases(
      'killed.jsonl',
      { id: 'a', input: '1/1 a' },
      { id: 'b', input: 'hang' },
      { id: 'c', input: '1/1 c' },
    );
    const words = flakyWords('killed');
    const run = parley.start(['eval', 'capture', file, '-o', 'killed-out.jsonl', '-j', '2', '--', ...words]);
    await Promise.all([run.sees('a done', 'stderr'), run.sees('c done', 'stderr')]);
    run.process.kill('SIGKILL');
    await run.finished;
    await untilGone(agentsOf('killed'), 30_000);
    expect(
      results('killed-out.jsonl')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'c']);
    const args = ['eval', 'capture', file, '-o', 'killed-out.jsonl', '--resume', '--timeout', '1', '--', ...words];
    const { code, stderr } = await parley.run(args);
    expect(stderr).toContain('2 cases are done already');
    expect(code).toBe(1);
    expect(results('killed-out.jsonl')).toMatchObject([{}, {}, { id: 'b', failure: 'timeout' }]);
  });

  it('ends cleanly at Ctrl-C, and says how to go on', async () => {
    const file = cases('stopped.jsonl', { id: 'a', input: '1/1 a' }, { id: 'b', input: 'hang' });
    const run = parley.start(['eval', 'capture', file, '-o', 'stopped-out.jsonl', '--', ...flakyWords('stopped')]);
    await run.sees('a done', 'stderr');
    // The one that hangs is there as well.
    while (agentsOf('stopped').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    run.process.kill('SIGINT');
    const { code, stderr } = await run.finished;
    expect(code).toBe(130);
    expect(stderr).toContain('parley eval capture stopped.jsonl -o stopped-out.jsonl --resume');
    expect(results('stopped-out.jsonl').map(({ id }) => id)).toEqual(['a']);
    await untilGone(agentsOf('stopped'), 10_000);
  });

  it('tells each attempt in a line, the exit code what failed, and JUnit all of it', async () => {
    const file = cases(
      'mixed.jsonl',
      { id: 'good', input: '1/1 <a>' },
      { id: 'bad', input: '0/1 "b"' },
      { id: 'dead', input: 'die' },
    );
    const args = [
      'eval',
      'capture',
      file,
      '-g',
      'right.mjs',
      '-o',
      'mixed-out.jsonl',
      '--junit',
      'junit.xml',
      '--force',
      '--',
    ];
    const { code, stderr } = await parley.run([...args, ...flakyWords('mixed')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /1\/3 good passed in .*\n2\/3 bad failed in .*\n3\/3 dead error in .* s: .*exited with code 3/,
    );
    const junit = readFileSync(inFolder('junit.xml'), 'utf8');
    expect(junit).toContain('tests="3" failures="1" errors="1"');
    expect(junit).toMatch(/<testcase name="dead"[^>]*><error type="died"/);
    const lenient = [...args.slice(0, -1), '--fail-under', '0.3', '--', ...flakyWords('mixed-2')];
    expect((await parley.run(lenient)).code).toBe(0);
  });

  it('reads cases from stdin, and says which line is wrong before it runs any of a file', async () => {
    const words = ['--', ...parley.agentWords(says)];
    const piped = await parley.run(['eval', 'capture', '-', ...words], { input: '{"id":"a","input":"x"}\n' });
    expect(readLines(piped.stdout)).toMatchObject([{ id: 'a', output: '<x>' }]);
    const wrong = await parley.run(['eval', 'capture', '-', ...words], { input: '{"id":"a"}\n' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('stdin line 1: input: is missing') });
    const file = cases('wrong.jsonl', { id: 'a', input: 'x' }, { id: 'b', input: 'x', timeout: 'long' });
    const refused = await parley.run(['eval', 'capture', file, ...words]);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('line 2: timeout: expected a number'),
    });
  });

  it('gives the agent MCP servers, and decides by the policy of the run', async () => {
    const server = JSON.stringify({ name: 'tools', command: 'tools', args: [] });
    const tells = {
      on: {
        'session/new': [
          { do: 'stderr', text: 'x' },
          { do: 'respond', result: { sessionId: 's' } },
        ],
        'session/prompt': [
          {
            do: 'request',
            method: 'session/request_permission',
            params: {
              sessionId: 's',
              toolCall: { toolCallId: 't', title: 'rm x', kind: 'execute', rawInput: { command: 'rm x' } },
              options: [
                { optionId: 'always', name: 'Always', kind: 'allow_always' },
                { optionId: 'once', name: 'Once', kind: 'allow_once' },
                { optionId: 'no', name: 'No', kind: 'reject_once' },
              ],
            },
          },
          ...sayAndEnd('x'),
        ],
      },
    } as const;
    const file = cases('mcp.jsonl', { id: 'a', input: 'x' });
    const run = (...flags: string[]) =>
      parley.run(['eval', 'capture', file, '--mcp-server', server, ...flags, '--', ...parley.agentWords(tells)]);
    expect(readLines((await run()).stdout)).toMatchObject([{ permissions: [{ outcome: 'rejected' }] }]);
    const allowed = await run('--permission-mode', 'bypassPermissions');
    expect(readLines(allowed.stdout)).toMatchObject([
      { permissions: [{ outcome: 'allowed', optionKind: 'allow_once' }] },
    ]);
    const denied = await run('--permission-mode', 'bypassPermissions', '--deny', 'Bash(rm *)');
    expect(readLines(denied.stdout)).toMatchObject([{ permissions: [{ outcome: 'rejected', by: 'rule' }] }]);
  });

  it('gives the agent the MCP servers that were named', async () => {
    const file = cases('servers.jsonl', { id: 'a', input: '1/1 a' });
    const servers = ['one', 'two'].map((name) => JSON.stringify({ name, command: 'cat', args: [], env: [] }));
    const words = servers.flatMap((each) => ['--mcp-server', each]);
    const { code } = await parley.run(['eval', 'capture', file, ...words, '--', ...flakyWords('servers')]);
    expect(code).toBe(0);
    const given = JSON.parse(readFileSync(inFolder('servers/mcp-servers.json'), 'utf8')) as { readonly name: string }[];
    expect(given.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('takes our own agent, an adapted one and one on the network', async () => {
    writeFileSync(inFolder('note.txt'), 'the note\n');
    const file = cases('any.jsonl', { id: 'a', input: 'read note.txt' });
    const own = await parley.run(['eval', 'capture', file, '--template', '.', '--keep', 'never']);
    expect(readLines(own.stdout)).toMatchObject([
      {
        metadata: { agent: 'parley', trajectoryRichness: 'full' },
        trajectory: expect.arrayContaining([expect.objectContaining({ type: 'tool_call', status: 'completed' })]),
        workspace: { kind: 'template', isKept: false, changes: { files: [] } },
      },
    ]);
    writeFileSync(
      inFolder('echo.json'),
      JSON.stringify({
        version: 1,
        name: 'echo',
        command: [process.execPath, '-e', 'console.log(JSON.stringify({ type: "result", text: process.argv.at(-1) }))'],
        sessionMode: 'iterative',
        prompt: { flag: '' },
        output: { flag: '', value: '' },
        outputEvents: [],
        result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.text' },
      }),
    );
    const adapted = await parley.run(['eval', 'capture', file, '--agent', 'echo.json']);
    expect(readLines(adapted.stdout)).toMatchObject([
      { output: 'read note.txt', metadata: { trajectoryRichness: 'messages-only' } },
    ]);
    writeFileSync(
      inFolder('note.mjs'),
      "export const grade = ({ output }) => ({ pass: output === 'read note.txt', score: 1 });",
    );
    const tried = await parley.run(['eval', 'trials', file, '-k', '1', '-g', 'note.mjs', '--agent', 'echo.json']);
    expect(readLines(tried.stdout)).toMatchObject([{ passRate: 1, trials: [{ output: 'read note.txt', pass: true }] }]);
    await using server = await serveEcho();
    const env = { PARLEY_TOKEN: TOKEN };
    const remote = await parley.run(['eval', 'capture', file, '--agent', `ws://${server.host}/acp`], { env });
    expect(readLines(remote.stdout)).toMatchObject([{ output: 'You said: read note.txt' }]);
  });
});
