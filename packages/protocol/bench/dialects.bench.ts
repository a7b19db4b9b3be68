/**
 * What a dialect costs per update over a real pipe: CPU time of both processes, of which one speaks through
 * `withDialect` and the other, as a foreign program would, in its own words. Fresh processes for each figure, the
 * dialects taking turns, the median of several rounds.
 *
 *   npx tsx --conditions=source packages/protocol/bench/dialects.bench.ts [rounds] [updates]
 *   npx tsx --conditions=source packages/protocol/bench/dialects.bench.ts --json
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createConnection, type Message } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import {
  createDialectState,
  DIALECT_NAMES,
  type DialectName,
  withDialect,
  writeMessage,
} from '@parley/protocol/dialects';
import { spawnProcess } from '@parley/transports/process';
import { ownStdio } from '@parley/transports/stdio';

interface Run {
  readonly dialect: DialectName;
  readonly scenario: string;
  /** The end that is ours: the agent writes the dialect, or the client reads it. */
  readonly end: 'writing' | 'reading';
  readonly count: number;
}

const SCRIPT = fileURLToPath(import.meta.url);
const ENDS = ['writing', 'reading'] as const;
const text = 'The build fails because the module resolution of the bundler ignores the export condition, so ';
const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
const call = {
  sessionUpdate: 'tool_call_update',
  toolCallId: 'call_0017',
  status: 'in_progress',
  title: 'Read package.json',
  kind: 'read',
  locations: [{ path: '/home/someone/project/package.json', line: 12 }],
  content: [{ type: 'content', content: { type: 'text', text } }],
  rawInput: { path: '/home/someone/project/package.json' },
};

/** A turn is nineteen chunks to one change of a tool call. */
const SCENARIOS: Readonly<Record<string, readonly object[]>> = {
  'a turn': Array.from({ length: 20 }, (_, index) => (index === 10 ? call : chunk)),
  'chunks of text': [chunk],
  'changes of a tool call': [call],
};

const [mode = '', ...rest] = process.argv.slice(2);
if (mode === 'agent') serve(JSON.parse(rest[0] ?? ''));
else if (mode === 'client') console.log(await measure(JSON.parse(rest[0] ?? '')));
else if (mode === '--json') console.log(JSON.stringify({ figures: promises(7, 60_000) }));
else compare(Number(mode || 7), Number(rest[0] ?? 60_000));

/** The agent: says as many updates as it is asked for, and how much CPU time that took. */
function serve({ dialect, scenario, end }: Run): void {
  const wire = ownStdio();
  const connection = createConnection(end === 'writing' ? withDialect(wire, dialect) : wire);
  const messages = (SCENARIOS[scenario] ?? []).map(notification);
  const state = createDialectState({ dialect });
  const said = end === 'writing' ? messages : messages.flatMap((message) => writeMessage(message, state).toPeer);
  const params = said.map((message) => ('params' in message ? message.params : undefined));
  connection.onRequest('bench/run', async ({ params: asked }) => {
    const begin = process.cpuUsage();
    for (let index = 0; index < (asked as { count: number }).count; index++) {
      await connection.notify('session/update', params[index % params.length]);
    }
    return process.cpuUsage(begin);
  });
}

function notification(update: object): Message {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'sess_0123456789abcdef', update } };
}

/** The client: microseconds of CPU time per update, of both processes. */
async function measure(run: Run): Promise<number> {
  const { dialect, end, count } = run;
  const args = [...process.execArgv, SCRIPT, 'agent', JSON.stringify(run)];
  const wire = await spawnProcess({ command: process.execPath, args, recordsDir: false });
  const connection = createConnection(end === 'reading' ? withDialect(wire, dialect) : wire);
  let received = 0;
  connection.onNotification('session/update', (params) => {
    if (end === 'reading') v1.parseParams('session/update', params);
    received++;
  });
  // As many again to warm up: what is rare in a turn takes long to be compiled.
  await connection.request('bench/run', { count });
  const begin = process.cpuUsage();
  const theirs = await connection.request<NodeJS.CpuUsage>('bench/run', { count });
  const ours = process.cpuUsage(begin);
  await connection.close();
  if (received !== 2 * count) throw new Error(`${received} of ${2 * count} updates arrived`);
  return (ours.user + ours.system + theirs.user + theirs.system) / count;
}

function compare(rounds: number, count: number): void {
  for (const end of ENDS) {
    for (const scenario of Object.keys(SCENARIOS))
      print(`${end} ${scenario}`, sample({ end, scenario, count }, rounds));
  }
}

/**
 * As `npm run bench` reads it: what a dialect adds to the cost of an update of a turn, in percent. The best of all rounds,
 * since a machine only ever adds, and a percentage of two disturbed figures says nothing.
 */
function promises(rounds: number, count: number): object[] {
  return ENDS.flatMap((end) => {
    const samples = sample({ end, scenario: 'a turn', count }, rounds);
    const base = Math.min(...(samples.get('canonical') ?? []));
    return [...samples].flatMap(([dialect, list]) => {
      if (dialect === 'canonical') return [];
      const value = (Math.min(...list) / base - 1) * 100;
      const spread = Math.max(...list) / Math.min(...list);
      return [{ workload: `dialect: ${end} ${dialect}`, unit: '% more cpu', value, hold: 25, spread }];
    });
  });
}

/** The dialects take turns, so that a busy moment of the machine hits all of them. */
function sample(run: Omit<Run, 'dialect'>, rounds: number): ReadonlyMap<DialectName, readonly number[]> {
  const dialects = DIALECT_NAMES.toSorted((a) => (a === 'canonical' ? -1 : 0));
  const samples = new Map(dialects.map((dialect) => [dialect, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const dialect of dialects) samples.get(dialect)?.push(runClient({ ...run, dialect }));
  }
  return samples;
}

function print(title: string, samples: ReadonlyMap<DialectName, readonly number[]>): void {
  console.log(`\n${title.padEnd(32)}CPU us per update   over canonical   max/min`);
  const base = median(samples.get('canonical') ?? []);
  for (const [dialect, list] of samples) {
    const spread = (Math.max(...list) / Math.min(...list)).toFixed(2);
    const over = `${((median(list) / base - 1) * 100).toFixed(0)} %`;
    console.log(
      `${dialect.padEnd(32)}${median(list).toFixed(2).padStart(17)}${over.padStart(17)}${spread.padStart(10)}`,
    );
  }
}

function runClient(run: Run): number {
  const args = [...process.execArgv, SCRIPT, 'client', JSON.stringify(run)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (!(Number(stdout) > 0)) throw new Error(`The run with ${run.dialect} failed: ${stderr}`);
  return Number(stdout);
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
