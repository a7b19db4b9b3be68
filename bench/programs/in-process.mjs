// Both ends in one process. The SDK and Parley each use their own pair; both copy what they pass.
import { createConnection } from '@parley/jsonrpc';

const [kind, countText] = process.argv.slice(2);
const count = Number(countText);
const text = 'x'.repeat(100);
const update = {
  sessionId: 's1',
  update: { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text } },
};
const KINDS = {
  async parley() {
    const { createMemoryPair } = await import('@parley/transports/memory');
    const { v1 } = await import('@parley/protocol');
    const [left, right] = createMemoryPair();
    const agent = createConnection(left);
    const client = createConnection(right);
    let updates = 0;
    client.onNotification('session/update', (params) => {
      v1.parseParams('session/update', params);
      updates++;
    });
    agent.onRequest('session/prompt', async ({ params }) => {
      for (let n = 0; n < params.count; n++) {
        const full = agent.notify('session/update', update);
        if (full) await full;
      }
      return { stopReason: 'end_turn' };
    });
    return { run: (n) => client.request('session/prompt', { count: n }), updates: () => updates };
  },
  async sdk() {
    const { agent, client, methods } = await import('@agentclientprotocol/sdk');
    let updates = 0;
    const server = agent({ name: 'bench' })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
      .onRequest(methods.agent.session.prompt, async ({ params, client: peer }) => {
        const n = Number(params.prompt[0].text);
        for (let sent = 0; sent < n; sent++) await peer.notify(methods.client.session.update, update);
        return { stopReason: 'end_turn' };
      });
    const connection = client({ name: 'bench' })
      .onNotification(methods.client.session.update, () => {
        updates++;
      })
      .connect(server);
    await connection.agent.request('initialize', { protocolVersion: 1 });
    const run = (n) =>
      connection.agent.request('session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: String(n) }] });
    return { run, updates: () => updates };
  },
  async floor() {
    let updates = 0;
    const run = async (n) => {
      for (let sent = 0; sent < n; sent++) {
        JSON.parse(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: update }));
        updates++;
      }
    };
    return { run, updates: () => updates };
  },
};

const pair = await KINDS[kind]();
await pair.run(count / 10);
const seen = pair.updates();
const before = process.cpuUsage();
await pair.run(count);
const { user, system } = process.cpuUsage(before);
if (pair.updates() - seen !== count) throw new Error(`${kind}: ${pair.updates() - seen} of ${count} arrived`);
process.stdout.write(`${JSON.stringify({ cpuUs: (user + system) / count })}\n`);
process.exit(0);
