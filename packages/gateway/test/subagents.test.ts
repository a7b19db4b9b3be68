import { getToolCall, type PermissionQuestion } from '@parley/session';
import { SUBAGENT_ID, SUBAGENT_SCRIPTS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { connectTo, host, rawClient, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();

const NESTED = { title: 'touch made-by-sub.txt', status: 'completed', parentToolCallId: SUBAGENT_ID };

describe('a sub-agent of a hosted agent that speaks version 2', () => {
  it('asks the clients of the session, and the prompt is answered after the sub-agent has ended', async () => {
    const hosted = host(scripted(SUBAGENT_SCRIPTS.background));
    const client = await rawClient(hosted, {});
    const asked: Record<string, unknown>[] = [];
    client.connection.onRequest('session/request_permission', ({ params }) => {
      asked.push(params as Record<string, unknown>);
      return { outcome: { outcome: 'selected', optionId: 'allow-once' } };
    });
    const sessionId = await client.open();
    expect(await client.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'end_turn' });
    expect(asked).toMatchObject([{ sessionId, toolCall: { toolCallId: 'call_43', title: 'touch made-by-sub.txt' } }]);
    expect(client.said()).toBe('I delegate.It runs in the background.The sub-agent is done.');
    const calls = client.updates.filter(({ toolCallId }) => toolCallId !== undefined);
    expect(calls).toContainEqual(
      expect.objectContaining({ toolCallId: SUBAGENT_ID, title: 'Make a file', kind: 'think', status: 'in_progress' }),
    );
    expect(calls).toContainEqual(
      expect.objectContaining({
        toolCallId: 'call_43',
        title: 'touch made-by-sub.txt',
        _meta: expect.objectContaining({ claudeCode: { parentToolUseId: SUBAGENT_ID } }),
      }),
    );
    expect(calls.at(-1)).toMatchObject({ toolCallId: SUBAGENT_ID, status: 'completed' });
  });

  it.each([1, 2] as const)(
    'appears the same to a Parley client during the turn and to one that loads the session (version %s)',
    async (protocol) => {
      const hosted = host(scripted(SUBAGENT_SCRIPTS.background));
      const asked: PermissionQuestion[] = [];
      const connection = await connectTo(hosted, {
        protocol,
        unstable: true,
        permissions: {
          ask: (question) => {
            asked.push(question);
            return 'allow_once';
          },
        },
      });
      const session = await connection.newSession({ cwd: process.cwd() });
      const { stopReason, entries } = await session.prompt('go').result;
      expect(stopReason).toBe('end_turn');
      expect(asked).toMatchObject([{ description: 'Asked by the sub-agent "Make a file".' }]);
      const late = await connectTo(hosted, { protocol });
      const loaded = await late.loadSession(session.id, { cwd: process.cwd() });
      for (const { transcript } of [session, loaded]) {
        expect(getToolCall(transcript, SUBAGENT_ID)).toMatchObject({ title: 'Make a file', status: 'completed' });
        expect(getToolCall(transcript, 'call_43')).toMatchObject(NESTED);
      }
      expect(loaded.transcript.entries.toArray().map(({ type }) => type)).toEqual(entries.map(({ type }) => type));
    },
  );

  it('is cancelled with the turn that a client cancels', async () => {
    const hosted = host(scripted(SUBAGENT_SCRIPTS.endless));
    const connection = await connectTo(hosted, { permissions: { ask: () => undefined } });
    const session = await connection.newSession({ cwd: process.cwd() });
    const turn = session.prompt('go');
    await new Promise<void>((resolve) => session.on('question', () => resolve()));
    await turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(connection.questions).toEqual([]);
    expect(getToolCall(session.transcript, SUBAGENT_ID)).toMatchObject({ status: 'cancelled' });
  });
});
