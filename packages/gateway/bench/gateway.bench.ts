/**
 * What a gateway adds, in a process of its own between a client on WebSocket and an agent on stdio: time for a prompt, with its
 * log in memory and on disk; replay of a stored session; many viewers of one session; a good client beside many silent ones.
 *
 *   npx tsx --conditions=source packages/gateway/bench/gateway.bench.ts [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchClient, dial, open, startAgent, startGateway, text } from './bench-client.ts';

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly hold?: number;
  readonly isAtLeast?: boolean;
}

const PROMPTS = 300;
const EVENTS = 50_000;
const VIEWERS = 500;
const SILENT = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'parley-gateway-bench-'));
const figures: Figure[] = [];
try {
  await measureLatency();
  await measureReplay();
  await measureViewers();
  await measureSilent();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }));
else for (const { workload, value, unit, hold } of figures) console.log(describe(workload, value, unit, hold));
process.exit(0);

function describe(workload: string, value: number, unit: string, hold: number | undefined): string {
  return `${workload.padEnd(52)} ${value.toFixed(2).padStart(12)} ${unit}${hold === undefined ? '' : `  (hold ${hold})`}`;
}

/** From the prompt to its answer, with one update in between. */
async function measureLatency(): Promise<void> {
  const agent = await startAgent();
  const direct = await promptMs(agent);
  agent.close();
  for (const [name, path, hold] of [
    ['log in memory', undefined, 2],
    ['log on disk', join(folder, 'latency.db'), 12],
  ] as const) {
    const server = await startGateway(path);
    const client = await dial(server.port);
    const times = await promptMs(client);
    client.close();
    await server.stop();
    figures.push({
      workload: `gateway: added to a prompt, ${name}, p50`,
      unit: 'ms',
      value: at(times, 0.5) - at(direct, 0.5),
      hold,
    });
    figures.push({
      workload: `gateway: added to a prompt, ${name}, p99`,
      unit: 'ms',
      value: at(times, 0.99) - at(direct, 0.99),
    });
  }
}

async function promptMs(client: BenchClient): Promise<number[]> {
  const sessionId = await open(client);
  const times: number[] = [];
  for (let n = 0; n < PROMPTS + 50; n += 1) {
    const start = performance.now();
    await client.request('session/prompt', { sessionId, prompt: [text({ count: 1 })] });
    if (n >= 50) times.push(performance.now() - start);
  }
  return times;
}

/** A stored session, loaded by a client that has never seen it. */
async function measureReplay(): Promise<void> {
  const server = await startGateway(join(folder, 'replay.db'));
  const writer = await dial(server.port);
  const sessionId = await open(writer);
  await writer.request('session/prompt', { sessionId, prompt: [text({ count: EVENTS })] });
  writer.close();
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const reader = await dial(server.port);
    let seen = 0;
    reader.onUpdate = () => {
      seen += 1;
    };
    const start = performance.now();
    await reader.request('session/load', { sessionId, cwd: '/tmp', mcpServers: [] });
    rates.push((1000 * seen) / (performance.now() - start));
    if (seen < EVENTS) throw new Error(`${seen} of ${EVENTS} events were told again`);
    reader.close();
  }
  await server.stop();
  figures.push({
    workload: 'gateway: replay, end to end',
    unit: 'events/s',
    value: at(rates, 0.5),
    hold: 30_000,
    isAtLeast: true,
  });
}

/** One session that all watch, at 50 events a second. */
async function measureViewers(): Promise<void> {
  const server = await startGateway(join(folder, 'viewers.db'));
  const prompting = await dial(server.port);
  const sessionId = await open(prompting);
  const late: number[] = [];
  const viewers: BenchClient[] = [];
  for (let n = 0; n < VIEWERS; n += 1) {
    const viewer = await dial(server.port);
    await viewer.request('session/load', { sessionId, cwd: '/tmp', mcpServers: [] });
    viewer.onUpdate = (line) => {
      const [, sentAt] = /"text":"([\d.]+) x/.exec(line) ?? [];
      if (sentAt !== undefined) late.push(performance.timeOrigin + performance.now() - Number(sentAt));
    };
    viewers.push(viewer);
  }
  const count = 300;
  await prompting.request('session/prompt', { sessionId, prompt: [text({ count, everyMs: 20 })] });
  const deadline = Date.now() + 10_000;
  while (late.length < count * VIEWERS && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const viewer of [...viewers, prompting]) viewer.close();
  await server.stop();
  figures.push({
    workload: `gateway: ${VIEWERS} viewers, events lost`,
    unit: 'events',
    value: count * VIEWERS - late.length,
    hold: 0,
  });
  figures.push({ workload: `gateway: ${VIEWERS} viewers, p50`, unit: 'ms', value: at(late, 0.5) });
  figures.push({ workload: `gateway: ${VIEWERS} viewers, p99`, unit: 'ms', value: at(late, 0.99), hold: 250 });
}

/** Sockets that are opened and say nothing, or half of a request, while a client works. */
async function measureSilent(): Promise<void> {
  const server = await startGateway();
  const client = await dial(server.port);
  const before = { times: await promptMs(client), residentMiB: await server.residentMiB() };
  const sockets: Socket[] = [];
  for (let opened = 0; opened < SILENT; opened += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, n) => abandon(server.port, n % 2 === 0, sockets)));
  }
  const during = await promptMs(client);
  const residentMiB = await server.residentMiB();
  const start = performance.now();
  const another = await dialAgain(server.port);
  const waitedMs = performance.now() - start;
  another.close();
  for (const socket of sockets) socket.destroy();
  client.close();
  await server.stop();
  const name = `gateway: beside ${SILENT.toLocaleString('en')} silent sockets`;
  figures.push({ workload: `${name}, prompt p50`, unit: 'x', value: at(during, 0.5) / at(before.times, 0.5), hold: 2 });
  figures.push({ workload: `${name}, memory`, unit: 'MiB', value: residentMiB - before.residentMiB, hold: 50 });
  figures.push({ workload: `${name}, a new client waits`, unit: 'ms', value: waitedMs, hold: 12_000 });
}

function abandon(port: number, isHalf: boolean, sockets: Socket[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      if (isHalf) socket.write('GET /acp HTTP/1.1\r\nHost: 127.0.0.1\r\nUpg');
      resolve();
    });
    socket.on('error', () => resolve());
    sockets.push(socket);
  });
}

/** While every place is taken by silent sockets a newcomer is dropped, until these have had their time. */
async function dialAgain(port: number): Promise<BenchClient> {
  for (;;) {
    try {
      return await dial(port);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
