// A client of one kind that spawns an agent of the same kind, runs one workload and prints what it cost as JSON.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [kind, workload, countText, shape] = process.argv.slice(2);
const count = Number(countText);
const { startClient } = await import(`../kinds/${kind}.mjs`);

const program = fileURLToPath(new URL('agent.mjs', import.meta.url));
const child = spawn(process.execPath, [program, kind], { stdio: ['pipe', 'pipe', 'pipe'] });
let stderr = '';
child.stderr.on('data', (chunk) => {
  stderr += chunk;
});

let updates = 0;
const client = startClient({
  readable: child.stdout,
  writable: child.stdin,
  onUpdate: () => {
    updates++;
  },
});
await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
const { sessionId } = await client.request('session/new', { cwd: '/tmp', mcpServers: [] });

const prompt = (n) =>
  client.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: JSON.stringify({ count: n, shape }) }],
  });
const WORKLOADS = {
  async updates(n) {
    await prompt(n);
  },
  async requests64(n) {
    let sent = 0;
    const lane = async () => {
      while (sent++ < n) await client.request('session/set_mode', { sessionId, modeId: 'code' });
    };
    await Promise.all(Array.from({ length: 64 }, lane));
  },
  async requests1(n) {
    for (let sent = 0; sent < n; sent++) await client.request('session/set_mode', { sessionId, modeId: 'code' });
  },
};

await WORKLOADS[workload](Math.ceil(count / 10));
updates = 0;
const before = process.cpuUsage();
const startedAt = process.hrtime.bigint();
await WORKLOADS[workload](count);
const wallUs = Number(process.hrtime.bigint() - startedAt) / 1000;
const { user, system } = process.cpuUsage(before);
if (workload === 'updates' && updates !== count) throw new Error(`${kind}: ${updates} of ${count} updates arrived`);

const exited = new Promise((resolve) => child.once('close', resolve));
await client.close();
child.stdin.end();
await exited;
const agent = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}');
// The agent's whole life after loading is counted, warm-up included, so its share is scaled to the measured part.
const agentCpuUs = agent.cpuUs * (10 / 11);
process.stdout.write(`${JSON.stringify({ cpuUs: (user + system + agentCpuUs) / count, wallUs: wallUs / count })}\n`);
process.exit(0);
