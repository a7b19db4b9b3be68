// `npm run bench [-- --json] [--only <workload>] [--rounds <n>]`: Parley beside the official SDK, vscode-jsonrpc and the
// floor. Each figure is a median over fresh processes, the kinds taking turns; CPU of all processes involved, because wall
// time on a shared machine says little. Exits 1 when a figure falls below what we promise to hold.

import { measure } from './measure.mjs';
import { printTable } from './table.mjs';
import { WORKLOADS } from './workloads.mjs';

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const only = option('--only');
const rounds = Number(option('--rounds') ?? 5);
const isJson = args.includes('--json');

const chosen = WORKLOADS.filter(({ workload }) => !only || workload.includes(only));
if (chosen.length === 0) {
  console.error(`No workload is called "${only}". There are: ${WORKLOADS.map(({ workload }) => workload).join(', ')}`);
  process.exit(2);
}
const results = [];
for (const workload of chosen) {
  if (!isJson) process.stderr.write(`${workload.workload}...\n`);
  results.push(await measure(workload, rounds));
}
if (isJson) console.log(JSON.stringify({ results }, null, 2));
else printTable(results);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
