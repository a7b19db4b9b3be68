/**
 * What the command itself costs: CPU of its own process, the agent's apart, over a bare `node` that does nothing. Beside
 * it the command `acpx`, installed from npm into a temporary folder the first time; without a network it is left out.
 * Fresh processes, all kinds taking turns, the best of each, since a machine only ever adds. Measures what was built:
 * node scripts/build.mjs --code, then
 *
 *   npx tsx --conditions=source packages/cli/bench/cli.bench.ts [rounds]
 *   npx tsx --conditions=source packages/cli/bench/cli.bench.ts --json
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installAcpx } from '@parley/testing/install-acpx';

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly spread: number;
  /** The most it may be. */
  readonly hold?: number;
}

interface MeasuredCommand {
  readonly args: readonly string[];
  readonly hold?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'parley-cli-bench-'));
const meter = join(folder, 'meter.mjs');
const reading = join(folder, 'cpu.json');
const agent = join(folder, 'agent.mjs');
const nothing = join(folder, 'nothing.mjs');
const parley = fileURLToPath(new URL('../dist/parley.program.js', import.meta.url));

// Written when the process ends, by itself: the CPU of its children is not in it.
writeFileSync(
  meter,
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(reading)}, JSON.stringify(process.cpuUsage())));`,
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
  const figures = measure(Number(process.argv.slice(2).find((word) => word !== '--json') ?? 11));
  if (isJson) console.log(JSON.stringify({ figures }));
  else
    for (const { workload, value, unit, spread } of figures)
      console.log(`${workload.padEnd(48)} ${value.toFixed(1).padStart(8)} ${unit}  (max/min ${spread.toFixed(2)})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(rounds: number): Figure[] {
  const agentLine = `${process.execPath} ${agent}`;
  const exec = [parley, 'exec', '--agent', agentLine, 'hi'];
  const acpx = findAcpx();
  const commands: Record<string, MeasuredCommand> = {
    'parley --help': { args: [parley, '--help'], hold: 40 },
    'parley exec with a trivial agent': { args: exec, hold: 80 },
    'parley exec, compiled anew': { args: exec, hold: 130, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    ...(acpx && {
      'acpx --help': { args: [acpx, '--help'] },
      'acpx exec with a trivial agent': { args: [acpx, '--agent', agentLine, 'exec', 'hi'] },
    }),
  };
  const bare: number[] = [];
  const samples = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    bare.push(cpuMs([nothing]));
    for (const [name, { args, env }] of Object.entries(commands)) samples.get(name)?.push(cpuMs(args, env));
  }
  const figures = Object.entries(commands).map(([workload, { hold }]) => {
    const values = samples.get(workload) ?? [];
    return {
      workload,
      unit: 'ms CPU over node',
      value: Math.min(...values) - Math.min(...bare),
      spread: spreadOf(values),
      ...(hold !== undefined && { hold }),
    };
  });
  return [{ workload: 'bare node', unit: 'ms CPU', value: Math.min(...bare), spread: spreadOf(bare) }, ...figures];
}

function findAcpx(): string | undefined {
  try {
    return installAcpx().program;
  } catch (error) {
    console.error(`acpx is not measured: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

function cpuMs(args: readonly string[], ownEnv: Readonly<Record<string, string>> = {}): number {
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    ...ownEnv,
  };
  const { status, stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(meter).href, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  const { user, system } = JSON.parse(readFileSync(reading, 'utf8'));
  return (user + system) / 1000;
}

function spreadOf(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values);
}
