import { v2 } from '@parley/protocol/v2';
import { describe, expect, it } from 'vitest';
import type { FormQuestion, PermissionQuestion } from '../index.ts';
import {
  formAnswerFromV2,
  formFromV2,
  formReplyToV2,
  formToV2,
  permissionAnswerFromV2,
  permissionAnswerToV2,
  permissionFromV2,
  permissionToV2,
} from './index.ts';

const OPTIONS = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;

type Params = Parameters<typeof permissionFromV2>[0];

/** Written, checked by the schema, and read. */
function ask(question: Omit<PermissionQuestion, 'questionId'>): {
  params: Params;
  read: ReturnType<typeof permissionFromV2>;
} {
  const params = permissionToV2('s', question);
  expect(v2.parseParams('session/request_permission', params)).toEqual(params);
  return { params, read: permissionFromV2(params, 'own') };
}

describe('a permission in version 2', () => {
  it('for a tool call comes back as it was written', () => {
    const toolCall = { toolCallId: 't', title: 'rm', kind: 'execute', meta: { safetyLevel: 3 } } as const;
    for (const words of [{}, { title: 'May I?', description: 'It is old.' }]) {
      const question = { type: 'permission', toolCall, options: OPTIONS, meta: { trace: 1 }, ...words } as const;
      const { params, read } = ask(question);
      expect(params).toMatchObject({
        title: 'rm',
        subject: { type: 'tool_call', toolCall: { toolCallId: 't', _meta: { safetyLevel: 3 } } },
        _meta: { trace: 1 },
        ...words,
      });
      expect(read).toEqual({ ...question, sessionId: 's' });
    }
  });

  it('has a title also where nobody gave it one', () => {
    const { params } = ask({ type: 'permission', toolCall: { toolCallId: 't', title: null }, options: OPTIONS });
    expect(params.title).toBe('Permission required');
  });

  it('for a command has a tool call that runs it, and the same subject when it is written again', () => {
    const subject = { type: 'command', command: 'rm -r x', cwd: '/w', toolCallId: 'c', terminalId: 't' } as const;
    const params: Params = { sessionId: 's', title: 'Remove x?', subject, options: [...OPTIONS] };
    const question = permissionFromV2(params);
    expect(question).toEqual({
      type: 'permission',
      sessionId: 's',
      title: 'Remove x?',
      subject,
      toolCall: {
        toolCallId: 'c',
        title: 'rm -r x',
        kind: 'execute',
        rawInput: { command: 'rm -r x', cwd: '/w' },
        content: [{ type: 'terminal', terminalId: 't' }],
      },
      options: OPTIONS,
    });
    expect(ask(question).params).toEqual(params);
  });

  it.each([
    ['nothing in particular', undefined],
    ['something that nobody knows', { type: '_budget', euros: 5 }],
  ])('for %s has a tool call of its own, and the same subject when it is written again', (_name, subject) => {
    const params = { sessionId: 's', title: 'Go on?', ...(subject && { subject }), options: [...OPTIONS] } as Params;
    const [first, second] = [permissionFromV2(params), permissionFromV2(params)];
    expect(first.toolCall).toMatchObject({ title: 'Go on?', ...(subject && { rawInput: subject }) });
    expect(first.toolCall.toolCallId).not.toBe(second.toolCall.toolCallId);
    expect(ask(first).params).toEqual(params);
  });

  it('keeps what an agent says beside the fields of the specification', () => {
    const toolCall = { toolCallId: 't', safetyLevel: 3, _meta: { trace: 1 } };
    const params = {
      sessionId: 's',
      title: 'x',
      subject: { type: 'tool_call', toolCall },
      options: [...OPTIONS],
    } as Params;
    expect(permissionFromV2(params).toolCall).toEqual({
      toolCallId: 't',
      meta: { safetyLevel: 3, trace: 1 },
      extra: { safetyLevel: 3 },
    });
  });

  it('is answered with an option, or with none, and a reason', () => {
    for (const answer of [
      { type: 'permission', optionId: 'yes' },
      { type: 'permission', optionId: 'no', because: 'A rule denies it.' },
      { type: 'permission' },
    ] as const) {
      const response = permissionAnswerToV2(answer);
      expect(v2.parseResult('session/request_permission', response)).toEqual(response);
      expect(permissionAnswerFromV2(response)).toEqual(answer);
    }
  });

  it('is not given by an outcome that nobody knows', () => {
    const outcome = { outcome: '_delegated', optionId: 'yes' } as const;
    expect(permissionAnswerFromV2({ outcome })).toEqual({ type: 'permission' });
  });
});

describe('a form or a page in version 2', () => {
  const form: FormQuestion['form'] = { type: 'object', properties: { db: { type: 'string' } } };

  it('comes back as it was written', () => {
    const scope = { sessionId: 's', toolCallId: 't' };
    for (const question of [
      { type: 'form', message: 'Which?', form },
      { type: 'page', message: 'Log in', url: 'https://example.com', elicitationId: 'e' },
    ] as const) {
      const params = formToV2(scope, question);
      expect(v2.parseParams('elicitation/create', params)).toEqual(params);
      expect(formFromV2(params)).toEqual({ ...question, ...scope });
    }
  });

  it('has the type and the fields that version 1 may leave out', () => {
    expect(formToV2({ sessionId: 's' }, { type: 'form', message: 'Sure?', form: {} })).toMatchObject({
      requestedSchema: { type: 'object', properties: {} },
    });
  });

  it('belongs to no session when it belongs to a request, and is none in a mode that nobody knows', () => {
    const question = { type: 'form', message: 'Which?', form } as const;
    expect(formFromV2(formToV2({ requestId: 1 }, question))).toEqual(question);
    expect(formFromV2({ mode: '_voice', message: 'Say it', sessionId: 's' })).toBeUndefined();
  });

  it('is answered with what was filled in, declined, or dismissed; an action that nobody knows dismisses it', () => {
    const accepted = { action: 'accept', content: { db: 'pg' } } as const;
    expect(formAnswerFromV2(formReplyToV2(accepted))).toEqual({ type: 'form', ...accepted });
    expect(formReplyToV2({ action: 'accept' })).toEqual({ action: 'accept' });
    expect(formAnswerFromV2({ action: 'accept', content: null })).toEqual({
      type: 'form',
      action: 'accept',
      content: {},
    });
    expect(formAnswerFromV2(formReplyToV2({ action: 'decline' }))).toEqual({ type: 'form', action: 'decline' });
    expect(formAnswerFromV2({ action: '_shrug' })).toEqual({ type: 'form', action: 'cancel' });
  });
});
