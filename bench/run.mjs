// `npm run bench [-- --json] [--only <workload>] [--rounds <n>]`: Parley beside the official SDK, vscode-jsonrpc and the
// floor. Each figure is a median over fresh processes, the kinds taking turns; CPU of all processes involved, because wall
// time on a shared machine says little. Exits 1 when a figure falls below what we promise to hold.

import { measure } from './measure.mjs';
import { runSuite, SUITES } from './suites.mjs';
import { printTable } from './table.mjs';
import { WORKLOADS } from './workloads.mjs';

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = option('--only');
const rounds = Number(option('--rounds') ?? 5);
const isJson = args.includes('--json');

const chosen = WORKLOADS.filter(({ workload }) => !only || workload.includes(only));
const suites = SUITES.filter((path) => !only || path.includes(only));
if (chosen.length === 0 && suites.length === 0) {
  const names = [...WORKLOADS.map(({ workload }) => workload), ...SUITES];
  console.error(`No row is called "${only}". Rows: ${names.join(', ')}`);
  process.exit(2);
}
const results = [];
const failures = [];
for (const workload of chosen) {
  if (!isJson) process.stderr.write(`${workload.workload}...\n`);
  const measureOnce = () => measure(workload, rounds);
  results.push(...(await repeatMissed([await measureOnce()], async () => [await measureOnce()])));
}
for (const path of suites) {
  if (!isJson) process.stderr.write(`${path}...\n`);
  try {
    results.push(...(await repeatMissed(runSuite(path), () => runSuite(path))));
  } catch (error) {
    // Keep the rows so far: they took minutes.
    failures.push(error.message);
  }
}
if (isJson) console.log(JSON.stringify({ results }, null, 2));
else printTable(results);
for (const failure of failures) console.error(`Not measured: ${failure}`);
process.exitCode = failures.length === 0 && results.every(({ ok }) => ok) ? 0 : 1;

/** Measures once more when a row misses its limit, prints both figures with their spread, and keeps the second of those rows. */
async function repeatMissed(first, measureAgain) {
  if (first.every(({ ok }) => ok)) return first;
  const again = await measureAgain();
  return first.map((row) => {
    if (row.ok) return row;
    const second = again.find(({ workload }) => workload === row.workload) ?? row;
    console.error(`Missed: ${describe(row)}; repeated: ${describe(second)}`);
    return second;
  });
}

function describe({ workload, parley, unit, holdAtLeast, ratioToSdk, spread }) {
  const ratio = ratioToSdk === null ? '' : `, ${ratioToSdk} x the SDK`;
  return `${workload} ${parley} ${unit}${ratio} (limit ${holdAtLeast}, max/min ${JSON.stringify(spread)})`;
}
