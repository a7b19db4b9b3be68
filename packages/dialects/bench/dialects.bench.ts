/**
 * What a dialect costs per update over a real pipe: CPU time of both processes, of which one speaks through
 * `withDialect` and the other, as a foreign program would, in its own words. A machine is faster in one moment and slower
 * in the next, so all dialects are there at once and take turns block by block; what counts is how much more a block
 * takes than that of `canonical` in the same round: the middle of many, and of several sets of fresh processes.
 *
 *   npx tsx --conditions=source packages/dialects/bench/dialects.bench.ts          every scenario, as a table
 *   npx tsx --conditions=source packages/dialects/bench/dialects.bench.ts --json   as `npm run bench` reads it
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDialectState, DIALECT_NAMES, type DialectName, withDialect, writeMessage } from '@parley/dialects';
import { createConnection, type Message } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { spawnProcess } from '@parley/transports/process';
import { ownStdio } from '@parley/transports/stdio';

interface Run {
  readonly dialect: DialectName;
  readonly scenario: string;
  /** The end that is ours: the agent writes the dialect, or the client reads it. */
  readonly end: 'writing' | 'reading';
}

const SCRIPT = fileURLToPath(import.meta.url);
/** What is rare in a turn takes long to be compiled. */
const WARM_UP_UPDATES = 60_000;
const BLOCK_UPDATES = 3000;
const BLOCKS = 40;
const SETS = 5;
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

const [mode = '', run = ''] = process.argv.slice(2);
if (mode === 'agent') serve(JSON.parse(run));
else if (mode === 'client') await measure(JSON.parse(run));
else if (mode === '--json') console.log(JSON.stringify({ figures: await promises() }));
else await print();

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

/** The client: for each line that it is sent, microseconds of CPU time per update, of both processes. */
async function measure(run: Run): Promise<void> {
  const { dialect, end } = run;
  const args = [...process.execArgv, SCRIPT, 'agent', JSON.stringify(run)];
  const wire = await spawnProcess({ command: process.execPath, args, recordsDir: false });
  const connection = createConnection(end === 'reading' ? withDialect(wire, dialect) : wire);
  let received = 0;
  connection.onNotification('session/update', (params) => {
    if (end === 'reading') v1.parseParams('session/update', params);
    received++;
  });
  await connection.request('bench/run', { count: WARM_UP_UPDATES });
  for await (const _line of createInterface({ input: process.stdin })) {
    received = 0;
    const begin = process.cpuUsage();
    const theirs = await connection.request<NodeJS.CpuUsage>('bench/run', { count: BLOCK_UPDATES });
    const ours = process.cpuUsage(begin);
    if (received !== BLOCK_UPDATES) throw new Error(`${received} of ${BLOCK_UPDATES} updates arrived`);
    console.log((ours.user + ours.system + theirs.user + theirs.system) / BLOCK_UPDATES);
  }
  await connection.close();
}

interface Cost {
  readonly us: number;
  /** Over what the same costs without a dialect. */
  readonly percent: number;
  /** The largest of several sets to the smallest, of `1 + percent / 100`. */
  readonly spread: number;
}

/** What each dialect costs, of several sets of processes. */
async function compare(run: Omit<Run, 'dialect'>): Promise<ReadonlyMap<DialectName, Cost>> {
  const sets: ReadonlyMap<DialectName, readonly number[]>[] = [];
  for (let set = 0; set < SETS; set++) sets.push(await runSet(run));
  return new Map(
    DIALECT_NAMES.map((dialect) => {
      const ratios = sets.map((set) => median(ratiosOf(set.get(dialect) ?? [], set.get('canonical') ?? [])));
      const us = median(sets.flatMap((set) => set.get(dialect) ?? []));
      const spread = Math.max(...ratios) / Math.min(...ratios);
      return [dialect, { us, percent: (median(ratios) - 1) * 100, spread }];
    }),
  );
}

/** All dialects in processes of their own, each in its turn: the costs of its blocks. */
async function runSet(run: Omit<Run, 'dialect'>): Promise<ReadonlyMap<DialectName, readonly number[]>> {
  const clients = DIALECT_NAMES.map((dialect) => ({
    ...startClient({ ...run, dialect }),
    dialect,
    costs: [] as number[],
  }));
  for (let block = 0; block < BLOCKS; block++) {
    for (const client of clients) client.costs.push(await client.runBlock());
  }
  await Promise.all(clients.map((client) => client.end()));
  return new Map(clients.map(({ dialect, costs }) => [dialect, costs]));
}

function startClient(run: Run): { runBlock(): Promise<number>; end(): Promise<unknown> } {
  const args = [...process.execArgv, SCRIPT, 'client', JSON.stringify(run)];
  const client: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = client;
  if (!stdin || !stdout) throw new Error('A client has no pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    async runBlock() {
      stdin.write('\n');
      const cost = Number((await lines.next()).value);
      if (!(cost > 0)) throw new Error(`The run with ${run.dialect} failed`);
      return cost;
    },
    end: () => {
      stdin.end();
      return once(client, 'close');
    },
  };
}

function ratiosOf(costs: readonly number[], base: readonly number[]): number[] {
  return costs.map((cost, index) => cost / (base[index] ?? Number.NaN));
}

/** What a dialect adds to the cost of an update of a turn, in percent. */
async function promises(): Promise<object[]> {
  const figures: object[] = [];
  for (const end of ENDS) {
    for (const [dialect, { percent: value, spread }] of await compare({ end, scenario: 'a turn' })) {
      if (dialect === 'canonical') continue;
      figures.push({ workload: `dialect: ${end} ${dialect}`, unit: '% more cpu', value, hold: 25, spread });
    }
  }
  return figures;
}

async function print(): Promise<void> {
  for (const end of ENDS) {
    for (const scenario of Object.keys(SCENARIOS)) {
      console.log(`\n${`${end} ${scenario}`.padEnd(32)}CPU us per update   over canonical   max/min`);
      for (const [dialect, { us, percent, spread }] of await compare({ end, scenario })) {
        const over = `${percent.toFixed(0)} %`.padStart(17);
        console.log(`${dialect.padEnd(32)}${us.toFixed(2).padStart(17)}${over}${spread.toFixed(2).padStart(10)}`);
      }
    }
  }
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
