import { describe, expect, it } from 'vitest';
import {
  type FormQuestion,
  formAnswerFromV1,
  formFromV1,
  formReplyToV1,
  formToV1,
  permissionAnswerFromV1,
  permissionAnswerToV1,
  permissionFromV1,
  permissionToV1,
} from '../index.ts';

const OPTIONS = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;

describe('a permission in version 1', () => {
  it('comes back as it was written, with what `_meta` says of the request and of the call', () => {
    const toolCall = { toolCallId: 't', title: 'rm', kind: 'execute', meta: { safetyLevel: 3 } } as const;
    const question = { type: 'permission', toolCall, options: OPTIONS, meta: { trace: 1 } } as const;
    const params = permissionToV1('s', question);
    expect(params).toMatchObject({ sessionId: 's', toolCall: { _meta: { safetyLevel: 3 } }, _meta: { trace: 1 } });
    expect(permissionFromV1(params)).toEqual({ ...question, sessionId: 's' });
  });

  it('tells a peer of ours what version 2 says beside the call, and passes over what is none of it', () => {
    const subject = { type: 'command', command: 'npm test', cwd: '/w' } as const;
    const told = { title: 'May it?', description: 'It writes.', subject };
    const question = { type: 'permission', toolCall: { toolCallId: 't' }, options: OPTIONS, ...told } as const;
    expect(permissionFromV1(permissionToV1('s', question))).toMatchObject(told);
    const odd = { title: 1, subject: { type: 'command', command: 'x' } };
    const request = { sessionId: 's', toolCall: { toolCallId: 't' }, options: [...OPTIONS] };
    const read = permissionFromV1({ ...request, _meta: { 'parley/question': odd } });
    expect([read.title, read.subject]).toEqual([undefined, undefined]);
  });

  it('takes a null field of the call for one that was not told', () => {
    const toolCall = { toolCallId: 't', title: null, kind: null };
    expect(permissionFromV1({ sessionId: 's', toolCall, options: [...OPTIONS] }).toolCall).toEqual({ toolCallId: 't' });
  });

  it('keeps what an agent says beside the fields of the specification', () => {
    const toolCall = { toolCallId: 't', safetyLevel: 3, _meta: { trace: 1 } };
    expect(permissionFromV1({ sessionId: 's', toolCall, options: [...OPTIONS] }).toolCall).toEqual({
      toolCallId: 't',
      meta: { safetyLevel: 3, trace: 1 },
      extra: { safetyLevel: 3 },
    });
  });

  it('is written again with what an agent said beside those fields, in its place', () => {
    const toolCall = { toolCallId: 't', safetyLevel: 3, _meta: { trace: 1 } };
    const request = { sessionId: 's', toolCall, options: [...OPTIONS], urgency: 'high', _meta: { span: 2 } };
    expect(permissionToV1('s', permissionFromV1(request))).toEqual(request);
  });

  it('is answered with an option, or with none, and a reason', () => {
    for (const answer of [
      { type: 'permission', optionId: 'yes' },
      { type: 'permission', optionId: 'no', because: 'A rule denies it.' },
      { type: 'permission', optionId: 'no', because: 'Never.', meta: { trace: 1 } },
      { type: 'permission', optionId: 'no', meta: { trace: 1 } },
      { type: 'permission' },
    ] as const) {
      expect(permissionAnswerFromV1(permissionAnswerToV1(answer))).toEqual(answer);
    }
    expect(permissionAnswerToV1({ type: 'permission' })).toEqual({ outcome: { outcome: 'cancelled' } });
  });
});

describe('a form or a page in version 1', () => {
  const form: FormQuestion['form'] = { type: 'object', properties: { db: { type: 'string' } } };

  it('comes back as it was written', () => {
    const scope = { sessionId: 's', toolCallId: 't' };
    for (const question of [
      { type: 'form', message: 'Which?', form },
      { type: 'page', message: 'Log in', url: 'https://example.com', elicitationId: 'e' },
    ] as const) {
      expect(formFromV1(formToV1(scope, question))).toEqual({ ...question, ...scope });
    }
  });

  it('belongs to no session when it belongs to a request, and is none in a mode that nobody knows', () => {
    const question = { type: 'form', message: 'Which?', form } as const;
    expect(formFromV1(formToV1({ requestId: 1 }, question))).toEqual(question);
    expect(formFromV1({ mode: 'voice', message: 'Say it', sessionId: 's' })).toBeUndefined();
  });

  it('is answered with what was filled in, declined, or dismissed; an action that nobody knows dismisses it', () => {
    const accepted = { action: 'accept', content: { db: 'pg' } } as const;
    expect(formAnswerFromV1(formReplyToV1(accepted))).toEqual({ type: 'form', ...accepted });
    expect(formReplyToV1({ action: 'accept' })).toEqual({ action: 'accept' });
    expect(formAnswerFromV1({ action: 'accept' })).toEqual({ type: 'form', action: 'accept', content: {} });
    expect(formAnswerFromV1({ action: 'decline' })).toEqual({ type: 'form', action: 'decline' });
    expect(formAnswerFromV1({ action: 'shrug' })).toEqual({ type: 'form', action: 'cancel' });
  });
});
