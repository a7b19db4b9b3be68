import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { residentMbOver } from './resident-memory.mjs';

const program = (name) => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
const ALL = ['parley', 'sdk', 'vscode', 'floor'];

/** What is measured, and what we promise to hold (shared with performance targets in docs/performance.md). */
export const WORKLOADS = [
  pipe('updates-200b', 'updates', { count: 60_000, shape: 'text-200b', holdAtLeast: 5 }),
  pipe('updates-4kb', 'updates', { count: 30_000, shape: 'tool-call-4kb', holdAtLeast: 3.5 }),
  pipe('updates-4kb-text', 'updates', { count: 30_000, shape: 'text-4kb', holdAtLeast: 1.8 }),
  pipe('requests-64', 'requests64', { count: 30_000, holdAtLeast: 5 }),
  pipe('requests-1', 'requests1', { count: 40_000, holdAtLeast: 1.4, figure: 'wallUs', unit: 'wall us/request' }),
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
  pipe('agent-updates-200b', 'updates', { count: 60_000, shape: 'text-200b', holdAtLeast: 4, parley: 'agent' }),
  pipe('agent-updates-4kb', 'updates', { count: 30_000, shape: 'tool-call-4kb', holdAtLeast: 2.5, parley: 'agent' }),
  overV1('v2-updates-200b', { count: 60_000, shape: 'text-200b' }),
  overV1('v2-updates-4kb-text', { count: 30_000, shape: 'text-4kb' }),
  overV1('v2-updates-4kb', { count: 30_000, shape: 'edits-4kb' }),
  network('websocket-updates', 'websocket', { holdAtLeast: 2.5 }),
  network('http-updates', 'http'),
  network('sse-updates', 'sse', { kinds: ['parley'] }),
  {
    workload: 'websocket-idle',
    unit: 'KiB/connection',
    kinds: ['parley', 'sdk'],
    holdAtLeast: 60,
    compare: (medians) => medians.parley <= 60,
    run: async (kind) => (await runProgram('network-idle', [kind, '1000'])).kibPerConnection,
  },
  memoryOverBare('idle-memory', { most: 5 }),
  memoryOverBare('agent-idle-memory', { most: 5, parley: 'agent' }),
];

/** A client and an agent of one kind; `parley` names the part of ours that is the agent. */
function pipe(
  workload,
  name,
  { count, shape = '', holdAtLeast, figure = 'cpuUs', unit = 'cpu us/message', parley = 'parley' },
) {
  const args = (kind) => [kind === 'parley' ? parley : kind, name, String(count), shape];
  return {
    workload,
    unit,
    kinds: ALL,
    holdAtLeast,
    run: async (kind) => (await runProgram('client', args(kind)))[figure],
  };
}

/** A client and a server of one kind, over loopback. Without a hold it is only looked at. */
function network(workload, via, { kinds = ['parley', 'sdk'], holdAtLeast = null } = {}) {
  const args = (kind) => [kind, via, '30000', 'text-200b'];
  const run = async (kind) => (await runProgram('network-client', args(kind))).cpuUs;
  return { workload, unit: 'cpu us/message', kinds, holdAtLeast, run };
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

/** The runtime asked in version 2, compared with itself in version 1; `sdk` stands for version 1 here. It may cost 15 % more. */
function overV1(workload, { count, shape }) {
  const args = (kind) => [kind === 'parley' ? 'agent-v2' : 'agent', 'updates', String(count), shape];
  return {
    workload,
    unit: 'cpu us, x v1',
    kinds: ['parley', 'sdk'],
    holdAtLeast: 0.87,
    run: async (kind) => (await runProgram('client', args(kind))).cpuUs,
  };
}

/** Resident memory compared with bare Node, the two taking turns; `most` is what Parley may add. */
function memoryOverBare(workload, { most, parley = 'parley' }) {
  const minimal = (kind) => program(`minimal-${kind === 'parley' ? parley : kind}`);
  return {
    workload,
    unit: 'MB over bare node',
    kinds: ['parley', 'sdk'],
    holdAtLeast: most,
    compare: (medians) => medians.parley <= most,
    run: async (kind) => Math.max(0.01, await residentMbOver(program('bare'), minimal(kind))),
  };
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
