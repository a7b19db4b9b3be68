import { areGone } from '@parley/testing/processes';
import { END_TURN, type Step, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { type CaptureResult, captureResult, type ToolCallStep } from '../src/formats/index.ts';
import { type CaptureOptions, capture, graderOf, trials } from '../src/index.ts';
import { collect, useAgents } from './support.ts';

const agents = useAgents();
const update = (sessionUpdate: string, fields: object): Step => ({
  do: 'update',
  update: { sessionUpdate, ...fields },
});
const thinks = (text: string): Step => update('agent_thought_chunk', { content: { type: 'text', text } });
const prompted = (...steps: readonly Step[]) => agents.scripted({ on: { 'session/prompt': steps } });

const asks = (toolCallId: string, kind: string, title: string): Step => ({
  do: 'request',
  method: 'session/request_permission',
  params: {
    sessionId: '$sessionId',
    toolCall: { toolCallId, title, kind, rawInput: { command: title } },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  },
});

async function captureOne(options: Omit<CaptureOptions, 'cases'>, task: object = {}): Promise<CaptureResult> {
  const [result] = await collect(
    capture({ cwd: agents.folder, cases: [{ id: 'a', input: 'hi', ...task }], ...options }),
  );
  if (!result) throw new Error('There is no result.');
  // Whatever is written can be read again.
  return captureResult.parse(JSON.parse(JSON.stringify(result)));
}
const toolCalls = ({ trajectory }: CaptureResult): ToolCallStep[] =>
  trajectory.filter((step) => step.type === 'tool_call');

describe('a trajectory', () => {
  it('has messages whole, tool calls by id with their end, plans with their entries, and stamps of arrival', async () => {
    const entry = { content: 'look', priority: 'high', status: 'pending' };
    const result = await captureOne({
      agent: prompted(
        thinks('let '),
        thinks('me see'),
        update('plan', { entries: [entry] }),
        update('tool_call', { toolCallId: '1', title: 'Read', kind: 'read', rawInput: { path: 'a' } }),
        update('tool_call', { toolCallId: '2', title: 'Read', kind: 'read', rawInput: { path: 'b' } }),
        // Answered when all before it was read, so that the pause is between arrivals.
        asks('1', 'read', 'Read'),
        { do: 'wait', ms: 60 },
        update('tool_call_update', { toolCallId: '2', status: 'failed', rawOutput: 'no such file' }),
        update('tool_call_update', {
          toolCallId: '1',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: 'text of a' } }],
        }),
        { do: 'say', text: 'Hel' },
        { do: 'say', text: 'lo' },
        {
          do: 'respond',
          result: { stopReason: 'end_turn', usage: { totalTokens: 12, inputTokens: 10, outputTokens: 2 } },
        },
      ),
    });
    expect(result).toMatchObject({
      output: 'Hello',
      stopReason: 'end_turn',
      toolErrors: true,
      usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
      timing: { inputTokens: 10, outputTokens: 2 },
      metadata: { trajectoryRichness: 'full', turnCount: 1, timedOut: false },
      trajectory: [
        { type: 'thought', content: 'let me see', turn: 1 },
        { type: 'plan', entries: [entry] },
        { type: 'tool_call', toolCallId: '1', status: 'completed', input: { path: 'a' }, output: 'text of a' },
        { type: 'tool_call', toolCallId: '2', status: 'failed', input: { path: 'b' }, output: 'no such file' },
        { type: 'message', content: 'Hello' },
      ],
    });
    const { timing, trajectory } = result;
    const [first, second] = toolCalls(result);
    // Timers of the two processes may differ by a little.
    expect(first?.duration).toBeGreaterThanOrEqual(50);
    expect(second?.duration).toBeGreaterThanOrEqual(50);
    expect((trajectory.at(-1)?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBeGreaterThanOrEqual(50);
    expect(timing.sessionCreation).toBeLessThanOrEqual(timing.firstResponse ?? 0);
    expect(timing.firstResponse).toBeLessThanOrEqual(timing.total);
    expect(result.failure).toBeUndefined();
  });

  it('sums tokens that an agent tells with its updates', async () => {
    const usage = { usage: { inputTokens: 3, outputTokens: 4 } };
    const said = (text: string): Step => update('agent_message_chunk', { content: { type: 'text', text }, ...usage });
    const { timing } = await captureOne({ agent: prompted(said('a'), said('b'), END_TURN) });
    expect(timing).toMatchObject({ inputTokens: 6, outputTokens: 8 });
  });

  it('says how much an agent tells', async () => {
    const richness = async (...steps: readonly Step[]): Promise<unknown> =>
      (await captureOne({ agent: prompted(...steps) })).metadata.trajectoryRichness;
    expect(await richness(...sayAndEnd('x'))).toBe('messages-only');
    expect(await richness(END_TURN)).toBe('minimal');
  });
});

describe('permissions', () => {
  it('are decided by the policy of the run, for once where that is offered, and each decision is recorded', async () => {
    const result = await captureOne({
      agent: prompted(
        update('tool_call', { toolCallId: 'x', title: 'ls', kind: 'execute' }),
        asks('x', 'execute', 'ls'),
        update('tool_call', { toolCallId: 'y', title: 'rm -rf /', kind: 'execute' }),
        asks('y', 'execute', 'rm -rf /'),
        ...sayAndEnd('ok'),
      ),
      connect: { permissions: { rules: { allow: ['Bash(ls)'] } } },
    });
    expect(result.permissions).toMatchObject([
      { toolCallId: 'x', outcome: 'allowed', by: 'rule', optionId: 'once', optionKind: 'allow_once' },
      { toolCallId: 'y', outcome: 'rejected', by: 'nobody', optionKind: 'reject_once' },
    ]);
    expect(toolCalls(result).map(({ permission }) => permission?.outcome)).toEqual(['allowed', 'rejected']);
  });
});

describe('the protocol', () => {
  it('is judged beside the trajectory: noise, messages that break the schema, answers to nothing', async () => {
    const { protocol, output } = await captureOne({
      agent: prompted(
        { do: 'raw', text: 'not a message\n' },
        { do: 'raw', text: '{"jsonrpc":"2.0","id":99,"result":{}}\n' },
        { do: 'raw', text: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":5}}\n' },
        ...sayAndEnd('ok'),
      ),
    });
    expect(output).toBe('ok');
    expect(protocol).toMatchObject({ noiseLines: 1, brokenRules: 1 });
    expect(protocol?.invalidMessages).toBeGreaterThanOrEqual(1);
    expect(protocol?.problems?.length).toBeGreaterThanOrEqual(2);
  });
});

describe('a case', () => {
  it('with several turns has them in one session', async () => {
    const result = await captureOne({ agent: prompted(...sayAndEnd('<$prompt>')) }, { input: ['one', 'two'] });
    expect(result).toMatchObject({ output: '<two>', metadata: { turnCount: 2 } });
    expect(result.trajectory).toMatchObject([
      { content: '<one>', turn: 1 },
      { content: '<two>', turn: 2 },
    ]);
  });

  it('that takes longer than its own time is cancelled, ended with all that it has started, and keeps what it said', async () => {
    const result = await captureOne(
      {
        agent: prompted(
          { do: 'ignoreSignals' },
          { do: 'tell', what: 'pid' },
          { do: 'say', text: ' ' },
          { do: 'spawnChild' },
          { do: 'freeze' },
        ),
      },
      { timeout: 1500 },
    );
    expect(result).toMatchObject({
      failure: 'timeout',
      toolErrors: true,
      metadata: { timedOut: true },
      errors: ['Timed out after 1500 ms.'],
    });
    const pids = (result.output.match(/\d+/g) ?? []).map(Number);
    expect(pids).toHaveLength(2);
    expect(await areGone(pids, 10_000)).toBe(true);
  });

  it.each([
    ['ends at once', () => agents.scripted({ onStart: [{ do: 'exit', code: 1 }] }), undefined, 'start'],
    ['dies in its turn', () => prompted({ do: 'say', text: 'before' }, { do: 'exit', code: 7 }), 'before', 'died'],
    ['answers with an error', () => prompted({ do: 'fail', code: -32603, message: 'no model' }), undefined, 'agent'],
    [
      'has no session for it',
      () => agents.scripted({ on: { 'session/new': [{ do: 'fail', code: -32602, message: 'no folder' }] } }),
      undefined,
      'start',
    ],
  ])('whose agent %s is a result, and the run goes on', async (_, agent, output = '', failure) => {
    const results = await collect(
      capture({ cwd: agents.folder, agent: agent(), cases: ['a', 'b'].map((id) => ({ id, input: 'hi' })) }),
    );
    expect(results).toMatchObject([
      { id: 'a', failure, output, toolErrors: true },
      { id: 'b', failure },
    ]);
    expect(results[0]?.errors?.[0]).not.toBe('');
  });

  it('keeps what the agent did when its grader fails', async () => {
    const grader = graderOf(() => {
      throw new Error('the judge is ill');
    });
    const result = await captureOne({ agent: prompted(...sayAndEnd('fine')), grader });
    expect(result).toMatchObject({
      output: 'fine',
      toolErrors: false,
      graderError: 'The grader failed: the judge is ill',
    });
    expect(result.score).toBeUndefined();
    expect(result.failure).toBeUndefined();
  });

  it('whose id another one has is refused with both lines', async () => {
    const cases = [1, 2].map(() => ({ id: 'same', input: 'x' }));
    await expect(collect(capture({ cases, agent: prompted(...sayAndEnd('x')) }))).rejects.toThrow(
      'case 2: the id "same" is taken by line 1',
    );
  });
});

describe('trials', () => {
  it('have every turn of every attempt, and their own numbers for each case', async () => {
    const agent = prompted(...sayAndEnd('<$prompt>'));
    const grader = graderOf(({ output }) => ({ pass: output === '<two>', score: output === '<two>' ? 1 : 0 }));
    const cases = [
      { id: 'turns', input: ['one', 'two'] },
      { id: 'other', input: 'three', metadata: { category: 'c' } },
    ];
    const results = await collect(trials({ cwd: agents.folder, agent, cases, grader, k: 2, n: 3, concurrency: 3 }));
    expect(results.toSorted((a, b) => (a.id < b.id ? 1 : -1))).toMatchObject([
      { id: 'turns', k: 2, n: 3, passRate: 1, passAtK: 1, passExpK: 1, estimator: 'unbiased' },
      { id: 'other', passRate: 0, passAtK: 0, passExpK: 0, metadata: { category: 'c' } },
    ]);
    expect(results.find(({ id }) => id === 'turns')?.trials).toMatchObject([
      { trialNum: 1, output: '<two>', pass: true, score: 1 },
      { trialNum: 2, output: '<two>' },
      { trialNum: 3, output: '<two>' },
    ]);
  });
});

describe('an attempt of several', () => {
  it('that has no session is a failure of its own, and the others are made', async () => {
    let attempts = 0;
    const works = prompted(...sayAndEnd('x'));
    const fails = agents.scripted({ on: { 'session/new': [{ do: 'fail', code: -32603, message: 'no room' }] } });
    const results = await collect(
      trials({
        cwd: agents.folder,
        agentName: 'crowded',
        agent: (cwd) => (++attempts === 2 ? fails : works)(cwd),
        cases: ['a', 'b'].map((id) => ({ id, input: 'hi' })),
        grader: graderOf(({ output }) => ({ pass: output === 'x', score: 1 })),
        k: 2,
        isInOrder: true,
      }),
    );
    expect(results).toMatchObject([
      { id: 'a', passRate: 0.5, trials: [{ pass: true }, { failure: 'start', pass: false }] },
      { id: 'b', passRate: 1, trials: [{ output: 'x' }, { output: 'x' }] },
    ]);
    expect(results[0]?.trials[1]?.errors?.join()).toContain('no room');
  });
});

describe('a run', () => {
  it('that is stopped cancels its turns, ends its agents, and gives no result for them', async () => {
    const stop = new AbortController();
    const agent = prompted(
      { do: 'tell', what: 'pid' },
      { do: 'waitFor', method: 'session/cancel' },
      { do: 'respond', result: { stopReason: 'cancelled' } },
    );
    const run = collect(
      capture({
        cwd: agents.folder,
        agent,
        cases: [{ id: 'a', input: 'x' }],
        signal: stop.signal,
        onStart: () => setTimeout(() => stop.abort(new Error('enough')), 500),
      }),
    );
    await expect(run).rejects.toThrow('enough');
  });
});
