import { getToolCall, type PermissionQuestion } from '@parley/session';
import { SUBAGENT_ID, SUBAGENT_SCRIPTS } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../src/connect/connect-options.ts';
import type { SilenceReport } from '../../src/link/silence-watchdog.ts';
import type { ClientSession } from '../../src/session/session.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

/** A session with an agent that speaks version 2, and what was asked and sent in it. */
async function open(name: keyof typeof SUBAGENT_SCRIPTS, options: ConnectOptions = {}) {
  const asked: PermissionQuestion[] = [];
  const cancels: unknown[] = [];
  let onCancel = (): void => {};
  const sent = (count: number): Promise<void> =>
    new Promise((resolve) => {
      onCancel = () => cancels.length >= count && resolve();
      onCancel();
    });
  const connection = await agents.connect(SUBAGENT_SCRIPTS[name], {
    permissions: {
      ask: (question) => {
        asked.push(question);
        return 'allow_once';
      },
    },
    trace: {
      write: ({ direction, message }) => {
        const { method, params } = (message ?? {}) as { method?: string; params?: { sessionId?: string } };
        if (direction !== 'out' || method !== 'session/cancel') return;
        cancels.push(params?.sessionId);
        onCancel();
      },
    },
    ...options,
  });
  onTestFinished(() => connection.close());
  const start = (): Promise<ClientSession> => connection.newSession({ cwd: CWD });
  return { connection, asked, cancels, sent, start };
}

const nestedCall = {
  toolCallId: 'call_43',
  title: 'touch made-by-sub.txt',
  status: 'completed',
  parentToolCallId: SUBAGENT_ID,
};

describe('a sub-agent with a session of its own', () => {
  it('asks in the session that started it, and its calls are shown below its own', async () => {
    const { connection, asked, start } = await open('foreground');
    const session = await start();
    const { stopReason, text, entries } = await session.prompt('go').result;
    expect(stopReason).toBe('end_turn');
    expect(text).toContain('The sub-agent is done.');
    expect(text).not.toContain('I am the child.');
    expect(asked).toMatchObject([
      {
        sessionId: session.id,
        description: 'Asked by the sub-agent "Make a file".',
        toolCall: {
          toolCallId: 'call_43',
          title: 'touch made-by-sub.txt',
          kind: 'execute',
          meta: { claudeCode: { parentToolUseId: SUBAGENT_ID } },
        },
      },
    ]);
    expect(getToolCall(session.transcript, SUBAGENT_ID)).toMatchObject({
      title: 'Make a file',
      kind: 'think',
      status: 'completed',
      rawInput: { prompt: 'Make it.' },
      content: [{ content: { text: 'I am the child.' } }, { content: { text: 'The child made the file.' } }],
    });
    expect(getToolCall(session.transcript, 'call_43')).toMatchObject(nestedCall);
    expect(entries.map(({ type }) => type)).toEqual(['message', 'message', 'tool_call', 'tool_call', 'message']);
    expect(session.transcript.terminals.at(0)).toMatchObject({ terminalId: 'call_43', exit: { exitCode: 0 } });
    expect(session.transcript.options).toEqual([]);
    expect(connection.counts.foreignUpdates).toBe(0);
  });

  it('keeps the turn open in the background until the agent has handled its result', async () => {
    let session: ClientSession | undefined;
    const turns: unknown[] = [];
    const { start } = await open('background', {
      permissions: {
        ask: () => {
          turns.push(session?.turn?.state, session?.state);
          return 'allow_once';
        },
      },
    });
    session = await start();
    const { stopReason, text, usage } = await session.prompt('go').result;
    // The agent has reported an idle session before.
    expect(turns).toEqual(['running', 'waiting']);
    expect(stopReason).toBe('end_turn');
    expect(text).toMatch(/It runs in the background\.\s*The sub-agent is done\./);
    expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 17, totalTokens: 47 });
    expect(getToolCall(session.transcript, 'call_43')).toMatchObject(nestedCall);
  });

  it('ends the turn after a time limit when the agent does not handle its result', async () => {
    const { start } = await open('unreported', { limits: { subagentReportMs: 1 } });
    const session = await start();
    expect(await session.prompt('go').result).toMatchObject({ stopReason: 'end_turn' });
    expect(getToolCall(session.transcript, SUBAGENT_ID)).toMatchObject({ status: 'completed' });
  });

  it('is cancelled with the turn, together with its open question and the work that the agent resumes after it', async () => {
    let signal: AbortSignal | undefined;
    const { connection, cancels, sent, start } = await open('endless', {
      permissions: {
        ask: (_question, context) => {
          signal = context.signal;
          return undefined;
        },
      },
    });
    const session = await start();
    const turn = session.prompt('go');
    await new Promise<void>((resolve) => session.on('question', () => resolve()));
    await turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(signal?.aborted).toBe(true);
    expect(connection.questions).toEqual([]);
    expect(getToolCall(session.transcript, SUBAGENT_ID)).toMatchObject({ status: 'cancelled' });
    expect(getToolCall(session.transcript, 'call_43')).toMatchObject({ status: 'cancelled' });
    await sent(3);
    expect(cancels).toEqual([session.id, SUBAGENT_ID, session.id]);
  });

  it('is named in the report of a silent agent while it runs', async () => {
    let onReport: (report: SilenceReport) => void = () => {};
    const reported = new Promise<SilenceReport>((resolve) => {
      onReport = (report) => report.waitingFor.startsWith('sub-agents') && resolve(report);
    });
    const { start } = await open('endless', {
      watchdog: { silentMs: 50, onSilence: (report) => onReport(report) },
    });
    const session = await start();
    const turn = session.prompt('go');
    expect((await reported).message).toContain('sub-agents: Make a file');
    expect(turn.state).toBe('running');
    await turn.cancel();
    await turn.result;
  });

  it('fails the turn when the agent dies', async () => {
    const { start } = await open('dying', { retry: false });
    const session = await start();
    expect(await failureOf(session.prompt('go').result)).toMatchObject({ message: expect.stringContaining('exited') });
  });

  it('is shown when the session is loaded, and holds no later turn', async () => {
    const { connection } = await open('replayed');
    const session = await connection.loadSession('s1', { cwd: CWD });
    const shown = session.transcript.entries.toArray();
    expect(shown.map(({ type }) => type)).toEqual(['message', 'message', 'tool_call', 'tool_call', 'message']);
    expect(getToolCall(session.transcript, SUBAGENT_ID)).toMatchObject({ title: 'Make a file', status: 'completed' });
    expect(getToolCall(session.transcript, 'call_43')).toMatchObject(nestedCall);
    expect(await session.prompt('go on').result).toMatchObject({ stopReason: 'end_turn' });
  });
});
