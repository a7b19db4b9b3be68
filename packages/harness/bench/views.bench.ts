/**
 * What it takes to look at results: fresh processes of the built command, from start to end, and the most memory each had.
 * The best of some rounds, since a machine only ever adds. node scripts/build.mjs --code, then
 *
 *   npx tsx --conditions=source packages/harness/bench/views.bench.ts [--json]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type SampleRun, sampleCaptures, sampleTrials } from '../test/support/sample-runs.ts';

interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  readonly spread: number;
  /** The most it may be. */
  readonly hold: number;
}

const ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), 'parley-views-bench-'));
const meter = join(folder, 'meter.mjs');
const reading = join(folder, 'memory.json');
const parley = fileURLToPath(new URL('../../cli/dist/parley.program.cjs', import.meta.url));

writeFileSync(
  meter,
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(reading)}, JSON.stringify(process.resourceUsage().maxRSS)));`,
);

try {
  const captures = (seed: number, tasks: number): string => write(`captures-${seed}`, sampleCaptures(run(seed, tasks)));
  const trials = (seed: number): string => write(`trials-${seed}`, sampleTrials({ ...run(seed, 1000), k: 5 }));
  const figures = [
    ...measure('10,000 results compared', ['compare', captures(1, 5000), captures(2, 5000)], {
      seconds: 2,
      megabytes: 300,
    }),
    ...measure('10,000 trials of 2,000 results compared', ['compare', trials(3), trials(4)], {
      seconds: 2,
      megabytes: 300,
    }),
    ...measure('report of 1,000 cases', ['report', captures(5, 1000), '-o', join(folder, 'report.html')], {
      seconds: 3,
      megabytes: 400,
    }),
  ];
  if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }));
  else
    for (const { workload, value, unit, hold } of figures)
      console.log(`${workload.padEnd(56)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(3)} (at most ${hold})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(seed: number, tasks: number): SampleRun {
  return { tasks, skill: 0.4 + seed / 20, speedMs: 20_000, seed };
}

function write(name: string, results: Iterable<object>): string {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, Array.from(results, (result) => `${JSON.stringify(result)}\n`).join(''));
  return path;
}

function measure(
  what: string,
  args: readonly string[],
  hold: { readonly seconds: number; readonly megabytes: number },
): readonly Figure[] {
  const [seconds, megabytes]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', pathToFileURL(meter).href, parley, 'eval', ...args],
      { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`parley eval ${args[0]} exited with code ${status}: ${stderr}`);
    seconds.push((performance.now() - start) / 1000);
    megabytes.push(Number(JSON.parse(readFileSync(reading, 'utf8'))) / 1024);
  }
  return [
    {
      workload: `harness: ${what}`,
      unit: 's',
      value: Math.min(...seconds),
      hold: hold.seconds,
      spread: spread(seconds),
    },
    {
      workload: `harness: ${what}, memory`,
      unit: 'MB',
      value: Math.min(...megabytes),
      hold: hold.megabytes,
      spread: spread(megabytes),
    },
  ];
}

function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values);
}
