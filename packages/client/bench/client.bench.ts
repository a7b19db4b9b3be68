/**
 * What a client costs, in its own process, against an agent that does nothing but write: CPU time per update with the
 * whole transcript folded, CPU time and memory per open session, and whether folding stays linear. Beside it the official
 * SDK's client, which only hands updates to a callback. Fresh processes, both taking turns, the median of several rounds.
 *
 *   npx tsx --conditions=source packages/client/bench/client.bench.ts [rounds] [updates]
 *   npx tsx --conditions=source packages/client/bench/client.bench.ts --json
 */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { applyEvent, connect, createTranscript } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import type { SessionEvent } from '@parley/session';

const SCRIPT = fileURLToPath(import.meta.url);
const SESSIONS = 1000;
const TEXT = 'The build fails because the module resolution of the bundler ignores the export condition, so ';
const LOADER = ['--expose-gc', '--import', 'tsx', '--conditions=source'];

interface Sample {
  readonly cpuUsPerUpdate: number;
  readonly updatesPerSecond: number;
  readonly cpuUsPerSession: number;
  readonly heapKiBPerSession: number;
}

const [mode = '5', argument = '100000', countText = ''] = process.argv.slice(2);
if (mode === 'agent') serve();
else if (mode === 'client')
  console.log(JSON.stringify(await measure(argument === 'sdk' ? openSdk : openParley, Number(countText))));
else if (mode === '--json') console.log(JSON.stringify({ figures: figures(3, 60_000) }));
else
  for (const { workload, value, unit, spread } of figures(Number(mode), Number(argument)))
    console.log(`${workload.padEnd(48)} ${value.toFixed(2).padStart(12)} ${unit}  (spread ${spread.toFixed(2)})`);

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly spread: number;
  readonly hold?: number;
  readonly isAtLeast?: boolean;
}

function figures(rounds: number, updates: number): Figure[] {
  const samples: Record<'parley' | 'sdk', Sample[]> = { parley: [], sdk: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['parley', 'sdk'] as const) samples[kind].push(runClient(kind, updates));
  const figure = (workload: string, unit: string, kind: 'parley' | 'sdk', name: keyof Sample): Figure => {
    const values = samples[kind].map((sample) => sample[name]);
    return { workload, unit, value: median(values), spread: Math.max(...values) / Math.min(...values) };
  };
  const ratio = (workload: string, name: keyof Sample, hold: number): Figure => {
    const values = samples.sdk.map((sample, round) => sample[name] / (samples.parley[round]?.[name] ?? Number.NaN));
    return {
      workload,
      unit: "x the SDK's cost",
      value: median(values),
      spread: Math.max(...values) / Math.min(...values),
      hold,
      isAtLeast: true,
    };
  };
  const growth = foldingGrowth();
  return [
    figure('client: update, folded', 'us CPU', 'parley', 'cpuUsPerUpdate'),
    figure('client: update, SDK, not folded', 'us CPU', 'sdk', 'cpuUsPerUpdate'),
    ratio('client: update, SDK to Parley', 'cpuUsPerUpdate', 3),
    figure('client: updates per second, end to end', '1/s', 'parley', 'updatesPerSecond'),
    figure('client: updates per second, SDK', '1/s', 'sdk', 'updatesPerSecond'),
    figure('client: session/new of 1,000', 'us CPU', 'parley', 'cpuUsPerSession'),
    figure('client: session/new of 1,000, SDK', 'us CPU', 'sdk', 'cpuUsPerSession'),
    figure('client: memory of an open session', 'KiB', 'parley', 'heapKiBPerSession'),
    figure('client: memory of an open session, SDK', 'KiB', 'sdk', 'heapKiBPerSession'),
    { workload: 'client: folding one event, of 100,000', unit: 'us', value: growth.longUs, spread: growth.spread },
    { workload: 'client: 10x the events, cost of one', unit: 'x', value: growth.ratio, spread: growth.spread, hold: 2 },
  ];
}

function runClient(kind: string, updates: number): Sample {
  const { stdout, status } = spawnSync(process.execPath, [...LOADER, SCRIPT, 'client', kind, String(updates)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${kind} exited with code ${status}`);
  return JSON.parse(stdout);
}

/** An agent without any library: it answers, and for a prompt writes as many updates as its text says. */
function serve(): void {
  let sessions = 0;
  const send = (message: object): boolean =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    else if (method === 'session/new') {
      sessions += 1;
      send({ id, result: { sessionId: `sess_${sessions}` } });
    } else if (method === 'session/prompt') {
      const update = { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text: TEXT } };
      const message = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: params.sessionId, update } })}\n`;
      const batch = message.repeat(100);
      for (let left = Number(params.prompt[0].text); left > 0; left -= 100) {
        if (!process.stdout.write(left >= 100 ? batch : message.repeat(left)))
          await new Promise((resolve) => process.stdout.once('drain', resolve));
      }
      send({ id, result: { stopReason: 'end_turn' } });
    }
  });
}

interface Client {
  newSession(): Promise<{ prompt(text: string): Promise<number> }>;
  close(): Promise<void>;
}

async function measure(open: () => Promise<Client>, updates: number): Promise<Sample> {
  const client = await open();
  const session = await client.newSession();
  await session.prompt(String(Math.ceil(updates / 10)));
  const begin = process.cpuUsage();
  const startedAt = performance.now();
  const received = await session.prompt(String(updates));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuUs = cpuSince(begin);
  if (received !== updates) throw new Error(`${received} of ${updates} updates arrived`);

  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const sessionsBegin = process.cpuUsage();
  const sessions: unknown[] = [];
  for (let count = 0; count < SESSIONS; count += 1) sessions.push(await client.newSession());
  const sessionsCpuUs = cpuSince(sessionsBegin);
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed - heapBefore;
  await client.close();
  if (sessions.length !== SESSIONS) throw new Error('sessions were lost');
  return {
    cpuUsPerUpdate: cpuUs / updates,
    updatesPerSecond: updates / seconds,
    cpuUsPerSession: sessionsCpuUs / SESSIONS,
    heapKiBPerSession: heap / SESSIONS / 1024,
  };
}

async function openParley(): Promise<Client> {
  const connection = await connect(spawnAgent(process.execPath, [...LOADER, SCRIPT, 'agent'], { recordsDir: false }));
  return {
    async newSession() {
      const session = await connection.newSession({ cwd: '/tmp' });
      return { prompt: async (text) => (await session.prompt(text).result).text.length / TEXT.length };
    },
    close: () => connection.close(),
  };
}

async function openSdk(): Promise<Client> {
  const { client, methods, ndJsonStream } = await import('@agentclientprotocol/sdk');
  const child = spawn(process.execPath, [...LOADER, SCRIPT, 'agent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  let received = 0;
  const connection = client({ name: 'bench' })
    .onNotification(methods.client.session.update, () => {
      received += 1;
    })
    .connect(stream);
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    async newSession() {
      const { sessionId } = await connection.agent.request(methods.agent.session.new, { cwd: '/tmp', mcpServers: [] });
      return {
        async prompt(text) {
          received = 0;
          await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
          // The SDK's answer may overtake its updates.
          while (received < Number(text)) await new Promise((resolve) => setImmediate(resolve));
          return received;
        },
      };
    },
    async close() {
      connection.close();
      child.kill();
    },
  };
}

/** The cost of one event in a fold of 10,000 and of 100,000 events of every kind. */
function foldingGrowth(): { longUs: number; ratio: number; spread: number } {
  const runs = Array.from({ length: 5 }, () => ({ short: foldUs(10_000), long: foldUs(100_000) }));
  const ratios = runs.map(({ short, long }) => long / short);
  return {
    longUs: median(runs.map(({ long }) => long)),
    ratio: median(ratios),
    spread: Math.max(...ratios) / Math.min(...ratios),
  };
}

function foldUs(events: number): number {
  let transcript = applyEvent(createTranscript(), { type: 'turn_started', prompt: [] });
  const startedAt = performance.now();
  for (let index = 0; index < events; index += 1) transcript = applyEvent(transcript, eventAt(index));
  const us = ((performance.now() - startedAt) * 1000) / events;
  if (transcript.entries.length < events / 4) throw new Error('the fold lost entries');
  return us;
}

function eventAt(index: number): SessionEvent {
  const content = { type: 'text', text: TEXT } as const;
  if (index % 4 === 0) return { type: 'message_chunk', speaker: 'agent', messageId: `m${index}`, content };
  if (index % 4 === 1) return { type: 'message_chunk', speaker: 'agent', messageId: `m${index - 1}`, content };
  if (index % 4 === 2)
    return { type: 'tool_call', toolCallId: `t${index % 1000}`, title: 'Read', status: 'in_progress' };
  return { type: 'thought_chunk', content };
}

function cpuSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
