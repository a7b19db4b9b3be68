import { createMemoryRemembered } from '@parley/policy';
import type { PermissionOption } from '@parley/protocol';
import { type AgentScript, END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { PermissionDecision, PermissionOptions } from '../../src/permissions/permission-options.ts';
import { CWD, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

const OPTIONS: PermissionOption[] = [
  { optionId: 'a1', name: 'Always', kind: 'allow_always' },
  { optionId: 'a0', name: 'Yes', kind: 'allow_once' },
  { optionId: 'abort', name: 'No', kind: 'reject_once' },
];

function asking(toolCall: object, options: readonly object[] = OPTIONS): AgentScript {
  return {
    on: {
      'session/prompt': [
        {
          do: 'update',
          update: {
            sessionUpdate: 'tool_call',
            toolCallId: 't1',
            title: 'Run tests',
            kind: 'execute',
            rawInput: { command: 'npm test' },
          },
        },
        {
          do: 'request',
          method: 'session/request_permission',
          params: { sessionId: '$sessionId', toolCall, options },
          echo: true,
        },
        END_TURN,
      ],
    },
  };
}

async function answerTo(
  script: AgentScript,
  permissions?: PermissionOptions,
): Promise<{ outcome: unknown; decisions: PermissionDecision[] }> {
  const decisions: PermissionDecision[] = [];
  await using connection = await agents.connect(
    script,
    permissions && { permissions: { ...permissions, onDecision: (each) => decisions.push(each) } },
  );
  const session = await connection.newSession({ cwd: CWD });
  const { text } = await session.prompt('go').result;
  return { outcome: JSON.parse(text).result?.outcome ?? JSON.parse(text), decisions };
}

describe('a permission request', () => {
  it('is rejected with a reject option when nobody can be asked', async () => {
    expect((await answerTo(asking({ toolCallId: 't1' }))).outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
  });

  it.each([
    ['a read', { toolCallId: 't1', kind: 'read', locations: [{ path: `${CWD}/a.txt` }] }],
    ['a read of another input', { toolCallId: 't1', kind: 'read', rawInput: { path: 'a.txt' } }],
    ['an edit without a command', { toolCallId: 't1', kind: 'edit', rawInput: { path: 'a.txt' } }],
  ])(
    'about a command that was announced, worded as %s, is never allowed by a rule for that',
    async (_what, toolCall) => {
      const { outcome, decisions } = await answerTo(asking(toolCall), { rules: ['Read', 'Edit'] });
      expect(outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
      expect(decisions[0]?.because).toMatch(/announced this call|No rule allows `npm test`/);
    },
  );

  it('shows the handler everything that is known of the tool call, and all options', async () => {
    const questions: unknown[] = [];
    const options = [...OPTIONS, { optionId: 'a00', name: 'Yes, and tell me', kind: 'allow_once' }];
    const call = { toolCallId: 't1', status: 'pending', title: null };
    const { outcome, decisions } = await answerTo(asking(call, options), {
      ask: (question) => {
        questions.push(question);
        return { optionId: 'a00' };
      },
    });
    expect(questions).toMatchObject([
      {
        type: 'permission',
        toolCall: { title: 'Run tests', kind: 'execute', rawInput: { command: 'npm test' }, status: 'pending' },
        options,
      },
    ]);
    expect(outcome).toEqual({ outcome: 'selected', optionId: 'a00' });
    expect(decisions).toMatchObject([{ by: 'person', outcome: 'allowed', optionId: 'a00' }]);
  });

  it('with an empty list or input takes nothing away from what was told of the call', async () => {
    const questions: unknown[] = [];
    const empty = { toolCallId: 't1', title: '', content: [], locations: [], rawInput: {} };
    const { on } = asking(empty);
    const content = [{ type: 'content', content: { type: 'text', text: '1. Remove everything' } }];
    const locations = [{ path: '/proj/a' }];
    const shown = { sessionUpdate: 'tool_call_update', toolCallId: 't1', content, locations };
    const [call, ...rest] = on?.['session/prompt'] ?? [];
    const steps = [...(call ? [call] : []), { do: 'update', update: shown } as const, ...rest];
    await answerTo(
      { on: { 'session/prompt': steps } },
      {
        ask: ({ toolCall }) => {
          questions.push(toolCall);
          return 'reject';
        },
      },
    );
    expect(questions).toMatchObject([{ title: 'Run tests', content, locations, rawInput: { command: 'npm test' } }]);
  });

  it('is rejected when the handler fails, or names an option that was not offered', async () => {
    const failing = await answerTo(asking({ toolCallId: 't1' }), {
      ask: () => {
        throw new Error('the dialog broke');
      },
    });
    expect(failing.outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
    const wrong = await answerTo(asking({ toolCallId: 't1' }), { ask: () => ({ optionId: 'yes' }) });
    expect(wrong.outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
  });

  it('is rejected when nobody answers in time', async () => {
    const { outcome } = await answerTo(asking({ toolCallId: 't1' }), { ask: () => undefined, timeoutMs: 20 });
    expect(outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
  });

  it('is answered by whoever is first, from anywhere', async () => {
    const { connection, session } = await agents.open(asking({ toolCallId: 't1' }), {
      permissions: { ask: () => undefined },
    });
    await using _ = connection;
    connection.on('question', ({ questionId }) => {
      expect(connection.answer(questionId, 'allow')).toBe(true);
      expect(connection.answer(questionId, 'reject')).toBe(false);
    });
    const { text } = await session.prompt('go').result;
    expect(JSON.parse(text).result.outcome).toEqual({ outcome: 'selected', optionId: 'a0' });
  });

  it('is decided before anybody is asked where a rule says so', async () => {
    let wasAsked = false;
    const ask = (): 'allow' => {
      wasAsked = true;
      return 'allow';
    };
    const allowed = await answerTo(asking({ toolCallId: 't1' }), {
      ask,
      decide: () => ({ verdict: 'allow', because: 'it is safe' }),
    });
    expect(allowed.outcome).toEqual({ outcome: 'selected', optionId: 'a0' });
    expect(allowed.decisions).toMatchObject([{ by: 'rule', because: 'it is safe' }]);
    const denied = await answerTo(asking({ toolCallId: 't1' }), {
      ask,
      decide: () => ({ verdict: 'deny', because: 'never' }),
    });
    expect(denied.outcome).toEqual({ outcome: 'selected', optionId: 'abort' });
    expect(wasAsked).toBe(false);
  });

  it('for a session that is not open is refused', async () => {
    const script = asking({ toolCallId: 't1' });
    const foreign: AgentScript = JSON.parse(
      JSON.stringify(script).replace('"sessionId":"$sessionId"', '"sessionId":"other"'),
    );
    const { outcome } = await answerTo(foreign, { ask: () => 'allow' });
    expect(outcome).toMatchObject({ error: { code: -32002 } });
  });
});

describe('rules', () => {
  it('answer what they allow and deny; the rest goes to the person', async () => {
    const asked: string[] = [];
    const ask = (question: { because?: string }): 'reject' => {
      asked.push(question.because ?? '');
      return 'reject';
    };
    const allowed = await answerTo(asking({ toolCallId: 't1' }), { rules: ['Bash(npm test)'], ask });
    expect(allowed.outcome).toEqual({ outcome: 'selected', optionId: 'a0' });
    expect(allowed.decisions).toMatchObject([{ by: 'rule', because: expect.stringContaining('Bash(npm test)') }]);
    const denied = await answerTo(asking({ toolCallId: 't1' }), { rules: { deny: ['Bash(npm *)'] }, ask });
    expect(denied.decisions).toMatchObject([{ by: 'rule', outcome: 'rejected' }]);
    expect(asked).toEqual([]);
    const open = await answerTo(asking({ toolCallId: 't1' }), { rules: ['Bash(git *)'], ask });
    expect(open.decisions).toMatchObject([{ by: 'person', outcome: 'rejected' }]);
    expect(asked).toEqual([expect.stringContaining('npm test')]);
  });

  it('that cannot be read leave the decision to the person', async () => {
    const { decisions } = await answerTo(asking({ toolCallId: 't1' }), { rules: ['Bash('], ask: () => 'allow' });
    expect(decisions).toMatchObject([{ by: 'person', outcome: 'allowed' }]);
  });

  it('do not turn a yes into a lasting one, unless everything is allowed anyway', async () => {
    const lasting = OPTIONS.filter(({ kind }) => kind !== 'allow_once');
    const script = asking({ toolCallId: 't1' }, lasting);
    expect((await answerTo(script, { rules: ['Bash(npm test)'] })).outcome).toEqual({
      outcome: 'selected',
      optionId: 'abort',
    });
    expect((await answerTo(script, { mode: 'bypassPermissions' })).outcome).toEqual({
      outcome: 'selected',
      optionId: 'a1',
    });
  });

  it('remember "always" for the same request, in the store they are given', async () => {
    const remembered = createMemoryRemembered();
    const options: PermissionOptions = { remembered, rememberScope: 'user', ask: () => ({ optionId: 'a1' }) };
    const first = await answerTo(asking({ toolCallId: 't1' }), options);
    expect(first.decisions).toMatchObject([{ by: 'person', optionId: 'a1' }]);
    expect(await remembered.list({})).toMatchObject([{ effect: 'allow', scope: 'user', shown: '`npm test`' }]);
    const second = await answerTo(asking({ toolCallId: 't1' }), options);
    expect(second.decisions).toMatchObject([
      { by: 'rule', outcome: 'allowed', because: expect.stringContaining('always') },
    ]);
  });

  it('remember no approval that a rule would ask about again anyway, nor one that was not seen whole', async () => {
    const remembered = createMemoryRemembered();
    const options: PermissionOptions = { remembered, rememberScope: 'user', ask: () => 'allow_always' };
    const asked = await answerTo(asking({ toolCallId: 't1' }), { ...options, rules: { ask: ['Bash(npm *)'] } });
    expect(asked.decisions).toMatchObject([{ by: 'person', optionId: 'a1' }]);
    const long = { toolCallId: 't1', rawInput: { command: `npm test -- ${'x'.repeat(1000)}` } };
    expect((await answerTo(asking(long), options)).decisions).toMatchObject([{ by: 'person', optionId: 'a1' }]);
    expect(await remembered.list({})).toEqual([]);
  });

  it.each([
    ['whose command stands in the title only', { title: 'cat hello.txt', kind: 'execute' }, { title: 'rm -rf ~' }],
    ['that says nothing of itself', { title: 'Set 3 todo(s)', kind: 'other' }, { title: 'Deploy to production' }],
  ])('remember no answer to a request %s, and send it to the agent all the same', async (_what, first, then) => {
    const remembered = createMemoryRemembered();
    for (const answer of ['allow_always', 'reject_always'] as const) {
      const never: PermissionOption = { optionId: 'r1', name: 'Never', kind: 'reject_always' };
      const options: PermissionOptions = { remembered, rememberScope: 'user', ask: () => answer };
      const script = (toolCall: object) => asking({ toolCallId: 't2', ...toolCall }, [...OPTIONS, never]);
      const { outcome } = await answerTo(script(first), options);
      expect(outcome).toEqual({ outcome: 'selected', optionId: answer === 'allow_always' ? 'a1' : 'r1' });
      expect(await remembered.list({})).toEqual([]);
      const later = await answerTo(script({ ...first, ...then }), options);
      expect(later.decisions).toMatchObject([{ by: 'person' }]);
    }
  });

  it('remember every rejection that is to last', async () => {
    const remembered = createMemoryRemembered();
    const never: PermissionOption = { optionId: 'r1', name: 'Never', kind: 'reject_always' };
    const options: PermissionOptions = { remembered, rememberScope: 'user', ask: () => 'reject_always' };
    await answerTo(asking({ toolCallId: 't1' }, [...OPTIONS, never]), { ...options, rules: { ask: ['Bash(npm *)'] } });
    expect(await remembered.list({})).toMatchObject([{ effect: 'deny', shown: '`npm test`' }]);
  });

  const DATABASES: PermissionOption[] = [
    { optionId: 'prod', name: 'Production', kind: 'allow_once' },
    { optionId: 'test', name: 'Test', kind: 'allow_once' },
    { optionId: 'none', name: 'None', kind: 'reject_once' },
  ];
  const question = { toolCallId: 't2', title: 'Which database shall I drop?', kind: 'think' };
  const ALLOWING: readonly PermissionOptions[] = [
    { rules: ['Think'] },
    { rules: ['*'] },
    { mode: 'bypassPermissions' },
    { mode: 'acceptEdits' },
    { decide: () => ({ verdict: 'allow', because: 'It is allowed.', isLasting: true }) },
  ];

  it.each(ALLOWING)('choose none of several answers for the person: %j', async (options) => {
    const asked: unknown[] = [];
    const ask: PermissionOptions['ask'] = ({ because }) => {
      asked.push(because);
      return { optionId: 'test' };
    };
    const { outcome, decisions } = await answerTo(asking(question, DATABASES), { ...options, ask });
    expect(outcome).toEqual({ outcome: 'selected', optionId: 'test' });
    expect(decisions).toMatchObject([{ by: 'person' }]);
    expect(asked).toEqual(['Several answers are offered; only a person can choose one.']);
  });

  it.each(ALLOWING)('refuse such a question where nobody can be asked: %j', async (options) => {
    const alone = await answerTo(asking(question, DATABASES), options);
    expect(alone.outcome).toEqual({ outcome: 'selected', optionId: 'none' });
    expect(alone.decisions).toMatchObject([{ by: 'nobody', outcome: 'rejected' }]);
    const withoutNo = await answerTo(asking(question, DATABASES.slice(0, 2)), options);
    expect(withoutNo.outcome).toEqual({ outcome: 'cancelled' });
  });

  it('let the person choose where only a lasting yes is offered', async () => {
    const lasting = OPTIONS.filter(({ kind }) => kind !== 'allow_once');
    const { outcome, decisions } = await answerTo(asking({ toolCallId: 't1' }, lasting), {
      rules: ['Bash(npm test)'],
      ask: () => ({ optionId: 'a1' }),
    });
    expect(outcome).toEqual({ outcome: 'selected', optionId: 'a1' });
    expect(decisions).toMatchObject([{ by: 'person' }]);
  });
});
