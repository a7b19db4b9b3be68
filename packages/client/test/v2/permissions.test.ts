import { getToolCall, type PermissionQuestion } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { openRaw, until } from '../support/raw-v2.ts';

describe('a permission that a version 2 agent asks for', () => {
  const OPTIONS = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'later', name: 'Later', kind: '_postpone' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];

  async function ask(params: object): Promise<{ question: PermissionQuestion | undefined; answer: unknown }> {
    let question: PermissionQuestion | undefined;
    const { agent, session, tell } = await openRaw({
      permissions: {
        ask: (asked) => {
          question = asked;
          return { optionId: 'yes' };
        },
      },
    });
    tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'Delete it', kind: 'delete' });
    await until(session, () => getToolCall(session.transcript, 'c') !== undefined);
    const answer = await agent.request('session/request_permission', { sessionId: 's', options: OPTIONS, ...params });
    return { question, answer };
  }

  it('is about a call that is known, and says its title once', async () => {
    const { question, answer } = await ask({
      title: 'Delete it',
      subject: { type: 'tool_call', toolCall: { toolCallId: 'c' } },
    });
    expect(question).toMatchObject({ toolCall: { toolCallId: 'c', title: 'Delete it', kind: 'delete' } });
    expect(question).not.toHaveProperty('title');
    expect(answer).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
  });

  it.each([
    ['nothing but its title', {}, { toolCall: { title: 'Go on?' } }],
    [
      'a command',
      { subject: { type: 'command', command: 'make', cwd: '/src', toolCallId: 'c' } },
      { title: 'Go on?', toolCall: { toolCallId: 'c', kind: 'execute', title: 'make' } },
    ],
    ['something new', { subject: { type: '_deploy', where: 'there' } }, { subject: { type: 'unknown' } }],
  ])('is about %s', async (_what, params, expected) => {
    const { question } = await ask({ title: 'Go on?', ...params });
    expect(question).toMatchObject(expected);
    expect(question?.options).toEqual(OPTIONS);
  });

  it('is refused where it is none that the protocol allows', async () => {
    await expect(ask({ title: 'No options', options: [] })).rejects.toMatchObject({ code: -32602 });
  });
});
