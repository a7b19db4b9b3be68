import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = (name) => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
const ALL = ['parley', 'sdk', 'vscode', 'floor'];

/** What is measured, and what we promise to hold (shared with performance targets in docs/performance.md). */
export const WORKLOADS = [
  pipe('updates-200b', 'updates', { count: 60_000, characters: 60, holdAtLeast: 5 }),
  pipe('updates-4kb', 'updates', { count: 30_000, characters: 3900, holdAtLeast: 3.5 }),
  pipe('requests-64', 'requests64', { count: 30_000, holdAtLeast: 5 }),
  pipe('requests-1', 'requests1', { count: 5_000, holdAtLeast: 1.5, figure: 'wallUs', unit: 'wall us/request' }),
  {
    workload: 'in-process',
    unit: 'cpu us/message',
    kinds: ['parley', 'sdk', 'floor'],
    holdAtLeast: 4,
    run: async (kind) => (await runProgram('in-process', [kind, '50000'])).cpuUs,
  },
  lines('tiny-lines', { count: 1_000_000, text: 'x', kinds: ['parley', 'sdk', 'floor'], holdAtLeast: 7 }),
  lines('line-100mb', { count: 1, text: 'x'.repeat(100_000_000), kinds: ['parley', 'sdk', 'floor'], holdAtLeast: 1.5 }),
  lines('line-100mb-memory', {
    count: 1,
    text: 'x'.repeat(100_000_000),
    kinds: ['parley', 'sdk', 'floor'],
    holdAtLeast: 0.95,
    figure: 'peakKb',
    unit: 'peak KB',
  }),
  overBare('cold-start', 'ms over bare node', 15, startMs),
  overBare('idle-memory', 'MB over bare node', 5, residentMb),
];

function pipe(workload, name, { count, characters = 0, holdAtLeast, figure = 'cpuUs', unit = 'cpu us/message' }) {
  const args = (kind) => [kind, name, String(count), String(characters)];
  return {
    workload,
    unit,
    kinds: ALL,
    holdAtLeast,
    run: async (kind) => (await runProgram('client', args(kind)))[figure],
  };
}

/** Prepared lines are pushed into the reader by this process, whose own cost does not count. */
function lines(workload, { count, text, kinds, holdAtLeast, figure = 'cpuUs', unit = 'cpu us/line' }) {
  const params = { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } };
  const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`);
  const perBlock = Math.min(count, 500);
  const block = perBlock === 1 ? line : Buffer.concat(Array.from({ length: perBlock }, () => line));
  const feed = async (stdin) => {
    for (let sent = 0; sent < count; sent += perBlock) if (!stdin.write(block)) await once(stdin, 'drain');
    stdin.end();
  };
  const run = async (kind) => (await runProgram('reader', [kind, String(count), '268435456'], feed))[figure];
  return { workload, unit, kinds, holdAtLeast, run };
}

/** Compared with bare Node in the same round; `hold` is the most that Parley may add. */
function overBare(workload, unit, most, figure) {
  const run = async (kind) => Math.max(0.01, (await figure(kind)) - (await figure('bare')));
  return { workload, unit, kinds: ['parley', 'sdk'], holdAtLeast: most, compare: ({ parley }) => parley <= most, run };
}

async function runProgram(name, args, feed) {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', program(name), ...args], {
    stdio: [feed ? 'pipe' : 'ignore', 'pipe', 'inherit'],
  });
  child.stdin?.on('error', () => {});
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const closed = once(child, 'close');
  if (feed) await Promise.race([feed(child.stdin), closed]);
  const [code] = await closed;
  if (code !== 0) throw new Error(`bench program ${name} ${args.join(' ')} exited with code ${code}`);
  return JSON.parse(output);
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
})}\n`;

async function withAgent(kind, use) {
  const args = kind === 'bare' ? [program('bare')] : [program('agent'), kind];
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  const answeredMs = performance.now() - startedAt;
  const result = await use(child, answeredMs);
  child.stdin.end();
  await once(child, 'close');
  return result;
}

/** The best of a few, since the machine only ever adds to a start. */
async function startMs(kind) {
  const times = [];
  for (let n = 0; n < 7; n++) times.push(await withAgent(kind, async (_child, answeredMs) => answeredMs));
  return Math.min(...times);
}

async function residentMb(kind) {
  return withAgent(kind, async ({ pid }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return kb / 1024;
  });
}
