/** An agent as the structs and the flow of seed 002 describe it. */
import { assert, done, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();

const sessionId = 's-1';
const say = (update) => peer.notify('session/update', { sessionId, update });

peer.on('initialize', ({ clientCapabilities }) => {
  assert.equal(clientCapabilities.terminal, true);
  done('initialize');
  const promptCapabilities = { content: ['text', 'image'] };
  const agentCapabilities = { loadSession: true, promptCapabilities, mcp: { httpTransport: true } };
  return { protocolVersion: 1, agentInfo: { name: 'claude-code-acp', version: '1' }, agentCapabilities };
});
peer.on('session/new', ({ mcpServers }) => {
  const env = [{ name: 'A', value: 'b' }];
  for (const server of mcpServers) {
    assert.deepEqual(server, { name: 'fs', command: '/bin/mcp', args: ['/data'], env });
    done('an MCP server');
  }
  done('session/new');
  return { sessionId };
});
peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Waiting.' } });
    await peer.cancelled();
    done('session/cancel');
    return { sessionId, stopReason: 'cancelled' };
  }
  if (prompt[0].text.startsWith('{')) return askFor(JSON.parse(prompt[0].text));
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'On it. ' } });
  say({ plan: { description: 'Fix it', steps: ['Look', 'Change'] } });
  const call = { toolCallId: 't-1', title: 'Run npm test' };
  say({ kind: 'tool_call', ...call, toolKind: 'execute', status: 'pending', input: { a: 1 } });
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
  const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = await peer.request('session/request_permission', {
    sessionId,
    toolCall: { ...call, kind: 'execute' },
    options,
  });
  assert.equal(outcome.outcome, 'selected');
  done('session/request_permission');
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'in_progress' });
  const output = [{ type: 'content', content: { type: 'text', text: 'ok' } }];
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'completed', output });
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'It is done.' } });
  done('session/prompt');
  return { sessionId, stopReason: 'end_turn' };
});
/** Asks for one tool call, and says what the answer was. */
async function askFor({ kind, title, input }) {
  const call = { toolCallId: 't-2', title };
  say({ kind: 'tool_call', ...call, toolKind: kind, status: 'pending', input });
  const options = ['allow_once', 'reject_once'].map((option) => ({ optionId: option, name: option, kind: option }));
  const asked = { sessionId, toolCall: { ...call, kind }, options };
  const { outcome } = await peer.request('session/request_permission', asked);
  const text = `The answer was ${outcome.optionId ?? outcome.outcome}.`;
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  return { sessionId, stopReason: 'end_turn' };
}
let attempts = 0;
peer.on('session/load', ({ cwd }) => {
  if (++attempts === 1) throw { code: -32001, message: 'Request Timeout' };
  done('retry after -32001');
  assert.equal(cwd, process.cwd());
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Earlier.' } });
  done('session/load');
  return {};
});
