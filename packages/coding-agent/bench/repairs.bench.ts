import { EDIT_TASKS } from './repairs/edits.ts';
import { runRepair } from './repairs/run-repair.ts';
import { TROUBLE_TASKS } from './repairs/troubles.ts';

/**
 * Twelve small repairs with a model that behaves as recorded ones do, on all four wires:
 *   npx tsx --conditions=source packages/coding-agent/bench/repairs.bench.ts [--json]
 * Exit code 1 when one is not solved, or leaves a session that does not go on.
 */
const results = [];
for (const task of [...EDIT_TASKS, ...TROUBLE_TASKS]) results.push({ wire: task.wire, ...(await runRepair(task)) });

if (process.argv.includes('--json')) console.log(JSON.stringify({ results }));
else {
  for (const { name, wire, because, requests, durationMs } of results) {
    console.log(
      `${because === undefined ? 'solved' : 'FAILED'}  ${name} (${wire}, ${requests} requests, ${Math.round(durationMs)} ms)`,
    );
    if (because !== undefined) console.log(`        ${because}`);
  }
  console.log(`${results.filter(({ because }) => because === undefined).length} of ${results.length} solved`);
}
process.exitCode = results.every(({ because }) => because === undefined) ? 0 : 1;
