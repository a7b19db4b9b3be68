import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { ElicitationOptions } from '../../src/questions/elicitation.ts';
import { CWD, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

const FORM = {
  mode: 'form',
  sessionId: '$sessionId',
  message: 'Which database?',
  requestedSchema: { type: 'object', properties: { db: { type: 'string', enum: ['pg', 'sqlite'] } }, required: ['db'] },
};
const LINK = {
  mode: 'url',
  sessionId: '$sessionId',
  message: 'Log in',
  elicitationId: 'e1',
  url: 'https://example.com/login',
};

function asking(...params: object[]): AgentScript {
  return {
    on: {
      'session/prompt': [
        ...params.map((each) => ({ do: 'request', method: 'elicitation/create', params: each, echo: true }) as const),
        { do: 'notify', method: 'elicitation/complete', params: { elicitationId: 'e1' } },
        { do: 'notify', method: 'elicitation/complete', params: { elicitationId: 'unknown' } },
        END_TURN,
      ],
    },
  };
}

async function answersTo(
  script: AgentScript,
  elicitation?: ElicitationOptions,
): Promise<{ answers: unknown[]; offered: unknown }> {
  let offered: unknown;
  await using connection = await agents.connect(script, {
    ...(elicitation && { elicitation }),
    trace: {
      write: ({ message }) => {
        const { method, params } = message as {
          method?: string;
          params?: { clientCapabilities?: { elicitation?: unknown } };
        };
        if (method === 'initialize') offered = params?.clientCapabilities?.elicitation;
      },
    },
  });
  const session = await connection.newSession({ cwd: CWD });
  const { text } = await session.prompt('go').result;
  return {
    answers: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    offered,
  };
}

describe('a question with fields or a link', () => {
  it('comes after the permissions that were asked for before it, however long their rules take', async () => {
    const permission = (title: string): Step => ({
      do: 'ask',
      method: 'session/request_permission',
      params: {
        sessionId: '$sessionId',
        toolCall: { toolCallId: title, title },
        options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      },
    });
    const { connection, session } = await agents.open(
      {
        on: {
          'session/prompt': [
            {
              do: 'inOneWrite',
              steps: [
                permission('slow'),
                permission('fast'),
                { do: 'ask', method: 'elicitation/create', params: LINK },
                { do: 'ask', method: 'elicitation/create', params: FORM },
              ],
            },
            { do: 'waitFor', method: 'session/cancel' },
          ],
        },
      },
      {
        permissions: {
          decide: async ({ toolCall }) => {
            if (toolCall.title === 'slow') await new Promise((resolve) => setTimeout(resolve, 100));
            return { verdict: 'ask', because: 'nobody knows' };
          },
          ask: () => undefined,
        },
        elicitation: { form: () => undefined, url: () => undefined },
      },
    );
    await using _ = connection;
    const asked = new Promise<readonly string[]>((resolve) => {
      const words: string[] = [];
      connection.on('question', (question) => {
        words.push(question.type === 'permission' ? String(question.toolCall.title) : question.type);
        if (words.length === 4) resolve(words);
      });
    });
    const turn = session.prompt('go');
    expect(await asked).toEqual(['slow', 'fast', 'page', 'form']);
    turn.result.catch(() => {});
  });

  it('goes to the handler of its mode, and the answer back', async () => {
    const completed: string[] = [];
    const { answers, offered } = await answersTo(asking(FORM, LINK), {
      form: ({ message, form }) => {
        expect(message).toBe('Which database?');
        expect(form.properties).toHaveProperty('db');
        return { action: 'accept', content: { db: 'pg' } };
      },
      url: ({ url }) => {
        expect(url).toBe('https://example.com/login');
        return { action: 'accept' };
      },
      onComplete: (id) => completed.push(id),
    });
    expect(offered).toEqual({ form: {}, url: {} });
    expect(answers).toEqual([
      { result: { action: 'accept', content: { db: 'pg' } } },
      { result: { action: 'accept' } },
    ]);
    expect(completed).toEqual(['e1']);
  });

  it('in a mode that was not offered is refused with -32602', async () => {
    const { answers, offered } = await answersTo(asking(FORM, LINK, { ...FORM, mode: 'voice' }), {
      form: () => ({ action: 'decline' }),
    });
    expect(offered).toEqual({ form: {} });
    expect(answers).toMatchObject([
      { result: { action: 'decline' } },
      { error: { code: -32602 } },
      { error: { code: -32602 } },
    ]);
  });

  it('is not offered, and refused with -32601, without any handler', async () => {
    const { answers, offered } = await answersTo(asking(FORM));
    expect(offered).toBeUndefined();
    expect(answers).toMatchObject([{ error: { code: -32601 } }]);
  });

  it('is cancelled with the turn, and when the handler fails', async () => {
    const failing = await answersTo(asking(FORM), { form: () => Promise.reject(new Error('broken')) });
    expect(failing.answers).toEqual([{ result: { action: 'cancel' } }]);
    const { connection, session } = await agents.open(asking(FORM), { elicitation: { form: () => undefined } });
    await using _ = connection;
    const turn = session.prompt('go');
    await new Promise((resolve) => session.on('question', resolve));
    await session.cancel();
    expect(JSON.parse((await turn.result).text)).toEqual({ result: { action: 'cancel' } });
  });
});
