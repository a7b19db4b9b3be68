// An agent that speaks ACP version 2 alone: a turn with a patch, a command in a terminal, a question, and a message told whole.
import { createInterface } from 'node:readline';

const PATCH = `diff --git a/w/clock.ts b/w/clock.ts
--- a/w/clock.ts
+++ b/w/clock.ts
@@ -1,3 +1,3 @@
 const begun = now();
-await sleep(100);
+await clock.sleep(100);
 end();
`;

const OPTIONS = [
  { optionId: 'go', name: 'Go', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tell = (sessionId, update) => write({ method: 'session/update', params: { sessionId, update } });
const text = (words) => ({ type: 'text', text: words });
const waiting = new Map();

async function work(sessionId, prompt) {
  const say = (sessionUpdate, fields) => tell(sessionId, { sessionUpdate, ...fields });
  say('user_message', { messageId: 'u1', content: prompt });
  say('state_update', { state: 'running' });
  say('tool_call_update', { toolCallId: 'edit', title: 'Edit clock.ts', kind: 'edit', status: 'in_progress' });
  say('tool_call_content_chunk', {
    toolCallId: 'edit',
    content: {
      type: 'diff',
      changes: [{ operation: 'modify', path: '/w/clock.ts' }],
      patch: { format: 'git_patch', text: PATCH },
    },
  });
  say('tool_call_update', { toolCallId: 'edit', status: 'completed' });
  say('terminal_update', { terminalId: 'sh', command: 'npm test', cwd: '/w' });
  say('tool_call_update', {
    toolCallId: 'run',
    title: 'npm test',
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 'sh' }],
  });
  // The output is cut within a character.
  const output = Buffer.from('\u001b[32m✓\u001b[39m grüß\n');
  for (const piece of [output.subarray(0, 7), output.subarray(7)])
    say('terminal_output_chunk', { terminalId: 'sh', data: piece.toString('base64') });
  say('terminal_update', { terminalId: 'sh', exitStatus: { exitCode: 3 } });
  say('tool_call_update', { toolCallId: 'run', status: 'failed' });
  say('state_update', { state: 'requires_action' });
  const subject = { type: 'command', command: 'npm run fix', cwd: '/w' };
  const params = {
    sessionId,
    title: 'May it be repaired?',
    description: 'It writes files.',
    subject,
    options: OPTIONS,
  };
  write({ id: 'asked', method: 'session/request_permission', params });
  const { outcome } = await new Promise((resolve) => waiting.set('asked', resolve));
  say('state_update', { state: 'running' });
  say('agent_message_chunk', { messageId: 'a1', content: text('The **whole** ') });
  say('agent_message', { messageId: 'a1', content: [text(`The **whole** answer: ${outcome.optionId}`)] });
  say('state_update', { state: 'idle', stopReason: 'end_turn' });
}

const HANDLERS = {
  initialize: () => ({
    protocolVersion: 2,
    info: { name: 'second', version: '1.0.0' },
    capabilities: { session: { prompt: {} } },
    authMethods: [],
  }),
  'session/new': () => ({ sessionId: 'one' }),
  'session/prompt'({ sessionId, prompt }) {
    setImmediate(() => void work(sessionId, prompt));
    return { messageId: 'u1' };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(result);
  if (id === undefined) return;
  const answer = HANDLERS[method]?.(params);
  write(answer ? { id, result: answer } : { id, error: { code: -32601, message: `${method} is not known` } });
});
