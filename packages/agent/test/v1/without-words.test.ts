import type { ClientCapabilities, SessionUpdate } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/index.ts';
import { CWD, connectRawClient, testAgent } from '../raw-client.ts';

/** What a client of version 1 is told of a turn, and when it loads the session. */
async function toldOf(
  handler: (turn: Turn) => Promise<void>,
  capabilities: ClientCapabilities = {},
): Promise<{ readonly live: SessionUpdate[]; readonly loaded: SessionUpdate[] }> {
  await using client = connectRawClient(testAgent().built.onPrompt(handler));
  await client.initialize(capabilities);
  const { sessionId } = await client.newSession();
  await client.prompt(sessionId, 'go');
  const live = client.updates();
  client.received.length = 0;
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  return { live, loaded: client.updates() };
}

const text = (words: string) => ({ type: 'text' as const, text: words });
const shown = (words: string) => ({ type: 'content', content: text(words) });

describe('what version 1 has no word for', () => {
  const build = async (turn: Turn): Promise<void> => {
    const call = turn.toolCall({ id: 'build', title: 'Build' });
    const terminal = turn.showTerminal({ command: 'make' });
    terminal.write('early ');
    call.start({ terminal });
    terminal.write('late');
    terminal.exit({ exitCode: 0 });
    call.complete();
  };

  it('a terminal of the agent: is a text of the tool call that shows it, once the command has ended', async () => {
    const { live, loaded } = await toldOf(build);
    expect(live).toEqual([
      { sessionUpdate: 'tool_call', toolCallId: 'build', title: 'Build', status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'build', status: 'in_progress', content: [shown('early ')] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'build', content: [shown('early late')] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'build', status: 'completed', content: [shown('early late')] },
    ]);
    expect(loaded.slice(1)).toEqual(live);
  });

  it('a terminal of the agent: is told in _meta to a client that reads it there', async () => {
    const { live } = await toldOf(build, { _meta: { terminal_output: true } });
    const terminalId = (live[1] as { content: { terminalId: string }[] }).content[0]?.terminalId;
    expect(live.slice(1)).toEqual([
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'build',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId }],
        _meta: { terminal_info: { terminal_id: terminalId, cwd: CWD, command: 'make' } },
      },
      ...['early ', 'late'].map((data) => ({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'build',
        _meta: { terminal_output: { terminal_id: terminalId, data } },
      })),
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'build',
        _meta: { terminal_exit: { terminal_id: terminalId, exit_code: 0, signal: null } },
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'build', status: 'completed' },
    ]);
  });

  it('a piece of what a tool call shows: is told as the whole content', async () => {
    const { live } = await toldOf(async (turn) => {
      const call = turn.toolCall({ id: 'list', title: 'List', text: 'a' });
      for (const words of ['b', 'c'])
        turn.update({
          type: 'tool_call_chunk',
          toolCallId: 'list',
          content: { type: 'content', content: text(words) },
        });
      call.complete();
    });
    expect(live).toMatchObject([
      { sessionUpdate: 'tool_call', content: [shown('a')] },
      { sessionUpdate: 'tool_call_update', content: [shown('a'), shown('b')] },
      { sessionUpdate: 'tool_call_update', content: [shown('a'), shown('b'), shown('c')] },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
    ]);
  });

  it('a message as a whole: is told in pieces, and one that replaces another as a new message', async () => {
    const { live } = await toldOf(async (turn) => {
      const whole = (words: string) =>
        turn.update({ type: 'whole_message', speaker: 'agent', messageId: 'm', content: [text(words)] });
      whole('first');
      turn.update({ type: 'message_chunk', speaker: 'agent', messageId: 'm', content: text(' and more') });
      whole('second');
      turn.update({ type: 'message_chunk', speaker: 'agent', messageId: 'm', content: text(' and more') });
    });
    const told = live.map((update) => {
      const { messageId, content } = update as { messageId: string; content: { text: string } };
      return `${messageId}: ${content.text}`;
    });
    expect(told).toEqual(['m: first', 'm:  and more', 'm-1: second', 'm-1:  and more']);
  });

  it('a call that was cancelled: is one that failed', async () => {
    const { live } = await toldOf(async (turn) => {
      turn.toolCall({ id: 'c', title: 'Call', cancellable: true }).cancel('Not now.');
    });
    expect(live).toEqual([
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Call', status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', content: [shown('Not now.')] },
    ]);
  });
});
