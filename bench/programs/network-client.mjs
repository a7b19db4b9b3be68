// A client of one kind and a server of the same kind in another process: what does an update over the network cost both?
import { spawnServer } from '../spawn-server.mjs';

const [kind, via, countText, shape] = process.argv.slice(2);
const count = Number(countText);
const { dial } = await import(`../kinds/network/${kind}.mjs`);
const server = await spawnServer(kind);

let updates = 0;
const client = await dial({
  via,
  port: server.port,
  onUpdate: () => {
    updates++;
  },
});
await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
const { sessionId } = await client.request('session/new', { cwd: '/tmp', mcpServers: [] });
const prompt = (n) => {
  const text = JSON.stringify({ count: n, shape });
  return client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
};

await prompt(Math.ceil(count / 10));
updates = 0;
const before = process.cpuUsage();
await prompt(count);
const { user, system } = process.cpuUsage(before);
if (updates !== count) throw new Error(`${kind}: ${updates} of ${count} updates arrived over ${via}`);
await client.close();
// The server's whole life is counted, warm-up included, so its share is scaled to the measured part.
const serverCpuUs = (await server.stop()) * (10 / 11);
process.stdout.write(`${JSON.stringify({ cpuUs: (user + system + serverCpuUs) / count })}\n`);
process.exit(0);
