import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/index.ts';
import { errorOf, testAgent, until } from '../raw-client.ts';
import { connectV2Client, type V2Client } from './v2-client.ts';

async function open(handler: (turn: Turn) => Promise<void>): Promise<[V2Client, string]> {
  const client = connectV2Client(testAgent().built.onPrompt(handler));
  await client.initialize();
  const { sessionId } = await client.newSession();
  return [client, sessionId];
}

/** Rejects as a command does that heeds a signal. */
const runUntil = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const of = (client: V2Client, kind: string) => client.updates().filter(({ sessionUpdate }) => sessionUpdate === kind);

describe('tool_call/cancel', () => {
  it('ends one call, and the turn goes on', async () => {
    const [client, sessionId] = await open(async (turn) => {
      const call = turn.toolCall({ id: 'sleep', title: 'Sleep', cancellable: true });
      call.start();
      try {
        await runUntil(call.signal);
      } catch (error) {
        call.fail(error as Error);
      }
      expect(turn.signal.aborted).toBe(false);
      turn.say('On with it.');
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await until(() => of(client, 'tool_call_update').length === 2);
    expect(of(client, 'tool_call_update')[0]).toMatchObject({ toolCallId: 'sleep', capabilities: { cancel: {} } });
    expect(await client.request('tool_call/cancel', { sessionId, toolCallId: 'sleep' })).toEqual({});
    await client.untilIdle();
    expect(of(client, 'tool_call_update').at(-1)).toMatchObject({ status: 'cancelled', capabilities: null });
    expect(client.said()).toBe('On with it.');
    expect(client.states()).toEqual(['running', 'idle end_turn']);
    const late = client.request('tool_call/cancel', { sessionId, toolCallId: 'sleep' });
    expect(await errorOf(late)).toMatchObject({ code: -32602 });
  });

  it('rule 114: is refused for a call that is unknown, has ended, or cannot be cancelled', async () => {
    let finish = (): void => {};
    const [client, sessionId] = await open(async (turn) => {
      turn.toolCall({ id: 'plain', title: 'Plain' }).start();
      turn.toolCall({ id: 'done', title: 'Done', cancellable: true }).complete();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await until(() => of(client, 'tool_call_update').length === 4);
    expect(of(client, 'tool_call_update')[0]).not.toHaveProperty('capabilities');
    for (const toolCallId of ['plain', 'done', 'never-was']) {
      const refused = client.request('tool_call/cancel', { sessionId, toolCallId });
      expect(await errorOf(refused)).toMatchObject({ code: -32602 });
    }
    finish();
    await client.untilIdle();
  });
});

describe('a terminal that the agent shows', () => {
  it('is told with its output as it comes, and how the command ended', async () => {
    const [client, sessionId] = await open(async (turn) => {
      const terminal = turn.showTerminal({ command: 'make', cwd: 'lib', size: { cols: 80, rows: 24 } });
      const call = turn.toolCall({ title: 'Build', kind: 'execute', terminal });
      call.start();
      terminal.write('héllo ');
      terminal.write('world\n');
      terminal.exit({ exitCode: 2 });
      terminal.write('dropped');
      call.fail();
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    const [begun, ended] = of(client, 'terminal_update');
    expect(begun).toMatchObject({ command: 'make', cwd: '/proj/project/lib', size: { cols: 80, rows: 24 } });
    expect(ended).toMatchObject({ exitStatus: { exitCode: 2 } });
    const chunks = of(client, 'terminal_output_chunk') as unknown as { data: string }[];
    expect(chunks.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual(['héllo ', 'world\n']);
    const { terminalId } = begun as unknown as { terminalId: string };
    expect(of(client, 'tool_call_update')[0]).toMatchObject({ content: [{ type: 'terminal', terminalId }] });
  });

  it('can be cancelled by itself, and ends at the latest with its turn', async () => {
    const [client, sessionId] = await open(async (turn) => {
      const terminal = turn.showTerminal({ command: 'sleep 100', cancellable: true });
      await runUntil(terminal.signal).catch(() => terminal.exit({ signal: 'SIGTERM' }));
      turn.showTerminal({ command: 'left open' });
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await until(() => of(client, 'terminal_update').length === 1);
    const { terminalId } = of(client, 'terminal_update')[0] as unknown as { terminalId: string };
    expect(of(client, 'terminal_update')[0]).toMatchObject({ capabilities: { cancel: {} } });
    expect(await client.request('terminal/cancel', { sessionId, terminalId })).toEqual({});
    await client.untilIdle();
    expect(of(client, 'terminal_update')).toMatchObject([
      {},
      { terminalId, exitStatus: { signal: 'SIGTERM' }, capabilities: null },
      { command: 'left open' },
      { exitStatus: {} },
    ]);
    const late = client.request('terminal/cancel', { sessionId, terminalId });
    expect(await errorOf(late)).toMatchObject({ code: -32602 });
  });
});

describe('messages', () => {
  it('rule 95: all have an id, the same for everybody and when they are told again', async () => {
    const text = (words: string) => ({ type: 'text' as const, text: words });
    const [client, sessionId] = await open(async (turn) => {
      turn.update({ type: 'message_chunk', speaker: 'agent', content: text('one ') });
      turn.update({ type: 'message_chunk', speaker: 'agent', content: text('message') });
      turn.update({ type: 'thought_chunk', content: text('a thought') });
      turn.update({ type: 'message_chunk', speaker: 'agent', content: text('another') });
      turn.toolCall({ title: 'Call' }).complete();
      turn.update({ type: 'message_chunk', speaker: 'agent', content: text('a third') });
      turn.update({ type: 'whole_message', speaker: 'agent', messageId: 'whole', content: [text('all of it')] });
    });
    await using _ = client;
    await client.prompt(sessionId, 'go');
    await client.untilIdle();
    const idsOf = (updates: readonly unknown[]): (string | undefined)[] => [
      ...new Set(updates.map((update) => (update as { messageId?: string }).messageId)),
    ];
    const isMessage = ({ sessionUpdate }: { sessionUpdate: string }): boolean => /message|thought/.test(sessionUpdate);
    const live = client.updates().filter(isMessage);
    const ids = idsOf(live);
    expect(ids).not.toContain(undefined);
    expect(ids).toHaveLength(6);
    expect(live.at(-1)).toMatchObject({ sessionUpdate: 'agent_message', messageId: 'whole' });
    client.received.length = 0;
    await client.resume(sessionId, { replayFrom: { type: 'start' } });
    expect(idsOf(client.updates().filter(isMessage))).toEqual(ids);
  });
});
