/**
 * What a dialect costs per update, from one program to another over a real pipe: CPU time of both processes, with the
 * dialect on both ends. Fresh processes for each figure, the dialects taking turns, the median of several rounds.
 *
 *   npx tsx --conditions=source packages/protocol/bench/dialects.bench.ts [rounds] [updates]
 *   npx tsx --conditions=source packages/protocol/bench/dialects.bench.ts --json
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createConnection } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { DIALECT_NAMES, type DialectName, withDialect } from '@parley/protocol/dialects';
import { spawnProcess } from '@parley/transports/process';
import { ownStdio } from '@parley/transports/stdio';

const SCRIPT = fileURLToPath(import.meta.url);
const [mode = '7', dialect = '100000', scenario = ''] = process.argv.slice(2);
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

if (mode === 'agent') serve();
else if (mode === 'client') console.log(await measure(dialect as DialectName, scenario, Number(process.argv[5])));
else if (mode === '--json') console.log(JSON.stringify({ figures: toPromises('a turn', 5, 60_000) }));
else compare(Number(mode), Number(dialect));

/** The agent: says as many updates as it is asked for, and how much CPU time that took. */
function serve(): void {
  const connection = createConnection(withDialect(ownStdio(), dialect as DialectName));
  const updates = SCENARIOS[scenario] ?? [];
  connection.onRequest('bench/run', async ({ params }) => {
    const begin = process.cpuUsage();
    for (let index = 0; index < (params as { count: number }).count; index++) {
      await connection.notify('session/update', {
        sessionId: 'sess_0123456789abcdef',
        update: updates[index % updates.length],
      });
    }
    return process.cpuUsage(begin);
  });
}

/** The client: microseconds of CPU time per update, of both processes. */
async function measure(spoken: DialectName, name: string, count: number): Promise<number> {
  const args = [...process.execArgv, SCRIPT, 'agent', spoken, name];
  const wire = await spawnProcess({ command: process.execPath, args, recordsDir: false });
  const connection = createConnection(withDialect(wire, spoken));
  connection.onNotification('session/update', (params) => void v1.parseParams('session/update', params));
  await connection.request('bench/run', { count: count / 10 });
  const begin = process.cpuUsage();
  const theirs = await connection.request<NodeJS.CpuUsage>('bench/run', { count });
  const ours = process.cpuUsage(begin);
  await connection.close();
  return (ours.user + ours.system + theirs.user + theirs.system) / count;
}

function compare(rounds: number, count: number): void {
  const dialects = DIALECT_NAMES.toSorted((a) => (a === 'canonical' ? -1 : 0));
  for (const name of Object.keys(SCENARIOS)) {
    const samples = new Map(dialects.map((each) => [each, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      for (const each of dialects) samples.get(each)?.push(runClient(each, name, count));
    }
    console.log(`\n${name.padEnd(24)}CPU us per update   over canonical   max/min`);
    const base = median(samples.get('canonical') ?? []);
    for (const [each, list] of samples) {
      const spread = (Math.max(...list) / Math.min(...list)).toFixed(2);
      const over = `${((median(list) / base - 1) * 100).toFixed(0)} %`;
      console.log(
        `${each.padEnd(24)}${median(list).toFixed(2).padStart(17)}${over.padStart(17)}${spread.padStart(10)}`,
      );
    }
  }
}

/** As `npm run bench` reads it: what a dialect adds to the cost of an update, in percent. */
function toPromises(name: string, rounds: number, count: number): object[] {
  const samples = new Map(DIALECT_NAMES.map((each) => [each, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const each of DIALECT_NAMES) samples.get(each)?.push(runClient(each, name, count));
  }
  const base = median(samples.get('canonical') ?? []);
  return [...samples].flatMap(([each, list]) => {
    if (each === 'canonical') return [];
    const value = (median(list) / base - 1) * 100;
    const spread = Math.max(...list) / Math.min(...list);
    return [{ workload: `dialect: ${each}`, unit: '% more cpu', value, isAtLeast: false, hold: 25, spread }];
  });
}

function runClient(spoken: DialectName, name: string, count: number): number {
  const { stdout } = spawnSync(process.execPath, [...process.execArgv, SCRIPT, 'client', spoken, name, String(count)], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
