// A small agent on the official SDK, as somebody else would write it.
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';

let sessions = 0;
const cancels = new Map<string, () => void>();

agent({ name: 'sdk-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentInfo: { name: 'sdk-agent', version: '1.0.0' },
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {} } },
  }))
  .onRequest(methods.agent.session.new, () => {
    sessions += 1;
    return { sessionId: `sdk-${process.pid}-${sessions}` };
  })
  .onRequest(methods.agent.session.resume, () => ({}))
  .onRequest(methods.agent.session.load, () => ({}))
  .onRequest(methods.agent.session.list, ({ params }) => ({
    sessions: [{ sessionId: 'remembered', cwd: params.cwd ?? '/', title: 'From the SDK' }],
  }))
  .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const say = (said: string): Promise<void> =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } },
      });
    if (text === 'wait') {
      const cancelled = new Promise<void>((resolve) => cancels.set(sessionId, resolve));
      await say('waiting');
      await cancelled;
      return { stopReason: 'cancelled' };
    }
    if (text === 'ask') {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 't1', title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } },
        options: [
          { optionId: 'go', name: 'Go', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      });
      await say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome);
    } else await say(`heard ${text}`);
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));
