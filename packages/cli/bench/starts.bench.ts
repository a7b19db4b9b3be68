/**
 * Start-up costs as shares of bare Node: the CPU of a whole process, over that of a Node process that does nothing else, in the
 * same run. Absolute times say little, since machines differ by more than our limits do. Fresh processes, all rows taking
 * turns, the best of each: other work on the machine only ever adds. The CPU of an agent that a command starts does not count.
 *
 * `NODE_EXTRA_CA_CERTS` is left out of the environment: it makes bare Node 20 more than twice as expensive, and every share
 * look half as large.
 *
 * `acpx` from npm is installed into a temporary folder the first time; without a network its rows are left out. Measures the
 * built command: node scripts/build.mjs --code, then
 *
 *   npx tsx --conditions=source packages/cli/bench/starts.bench.ts [rounds]
 *   npx tsx --conditions=source packages/cli/bench/starts.bench.ts --json
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installAcpx } from '@parley/testing/install-acpx';

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly spread: number;
  /** The most it may be. */
  readonly hold?: number;
}

interface MeasuredStart {
  readonly args: readonly string[];
  /** Bare Node for this row. Default: a program without a line of code. */
  readonly bare?: typeof BARE_AGENT;
  readonly hold?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const BARE = 'bare node';
const BARE_AGENT = 'bare node, answering one line';
const ROUNDS = 11;

const folder = mkdtempSync(join(tmpdir(), 'parley-starts-bench-'));
const meter = join(folder, 'meter.cjs');
const reading = join(folder, 'cpu.json');
const agent = join(folder, 'agent.mjs');
const nothing = join(folder, 'nothing.mjs');
const benchProgram = (name: string): string =>
  fileURLToPath(new URL(`../../../bench/programs/${name}.mjs`, import.meta.url));
const parley = fileURLToPath(new URL('../dist/parley.program.cjs', import.meta.url));
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};

// The process writes its own CPU time when it ends: the CPU of its children is not in it.
writeFileSync(
  meter,
  `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(reading)}, JSON.stringify(process.cpuUsage())));`,
);
writeFileSync(nothing, '');
writeFileSync(
  agent,
  `import { createInterface } from 'node:readline';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {} });
  else if (method === 'session/new') answer(id, { sessionId: 's' });
  else if (method === 'session/prompt') {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: params.sessionId, update } }) + '\\n');
    answer(id, { stopReason: 'end_turn' });
  }
});`,
);

try {
  const isJson = process.argv.includes('--json');
  const figures = measure(Number(process.argv.slice(2).find((word) => word !== '--json') ?? ROUNDS));
  if (isJson) console.log(JSON.stringify({ figures }));
  else
    for (const { workload, value, unit, hold, spread } of figures) {
      const limit = hold === undefined ? '' : `, at most ${hold}`;
      console.log(
        `${workload.padEnd(40)} ${value.toFixed(2).padStart(7)} ${unit}  (max/min ${spread.toFixed(2)}${limit})`,
      );
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(rounds: number): Figure[] {
  const starts = listStarts();
  const samples = new Map<string, number[]>(Object.keys(starts).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of Object.entries(starts)) samples.get(name)?.push(cpuMs(start));
  const best = (name: string): number => Math.min(...(samples.get(name) ?? []));
  return Object.entries(starts).map(([workload, { bare = BARE, hold }]) => {
    const isBare = workload === BARE || workload === BARE_AGENT;
    return {
      workload,
      unit: isBare ? 'ms CPU' : "of bare node's CPU, added",
      value: isBare ? best(workload) : (best(workload) - best(bare)) / best(bare),
      spread: Math.max(...(samples.get(workload) ?? [])) / best(workload),
      ...(hold !== undefined && { hold }),
    };
  });
}

function listStarts(): Record<string, MeasuredStart> {
  const agentLine = `${process.execPath} ${agent}`;
  const exec = [parley, 'exec', '--agent', agentLine, 'hi'];
  const acpx = findAcpx();
  return {
    [BARE]: { args: [nothing] },
    [BARE_AGENT]: { args: [benchProgram('bare')] },
    'start: a connection': { args: [benchProgram('minimal-parley')], bare: BARE_AGENT, hold: 0.48 },
    'start: an agent': { args: [benchProgram('minimal-agent')], bare: BARE_AGENT, hold: 0.36 },
    'start: an agent of the SDK': { args: [benchProgram('minimal-sdk')], bare: BARE_AGENT },
    'start: parley agent': { args: [parley, 'agent'], bare: BARE_AGENT, hold: 0.72 },
    'start: parley --help': { args: [parley, '--help'], hold: 0.6 },
    'start: parley exec': { args: exec, hold: 1.8 },
    'start: parley exec, without code cache': { args: exec, hold: 2.6, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    ...(acpx && {
      'start: acpx --help': { args: [acpx, '--help'] },
      'start: acpx exec': { args: [acpx, '--agent', agentLine, 'exec', 'hi'] },
    }),
  };
}

function findAcpx(): string | undefined {
  try {
    return installAcpx().program;
  } catch (error) {
    console.error(`acpx is not measured: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

function cpuMs({ args, bare, env: ownEnv = {} }: MeasuredStart): number {
  const { NODE_OPTIONS: _, NODE_EXTRA_CA_CERTS: __, ...inherited } = process.env;
  const env = {
    ...inherited,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    ...ownEnv,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', meter, ...args], {
    env,
    cwd: folder,
    input: bare ? `${JSON.stringify(initialize)}\n` : '',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  if (bare && !stdout.includes('"result"')) throw new Error(`${args.join(' ')} did not answer initialize: ${stderr}`);
  const { user, system } = JSON.parse(readFileSync(reading, 'utf8'));
  return (user + system) / 1000;
}
