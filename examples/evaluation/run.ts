// An evaluation as a program: puts the cases beside this file to an agent, grades them, and prints how many passed.
//   npx tsx --conditions=source examples/evaluation/run.ts gemini --acp
import { fileURLToPath } from 'node:url';
import { spawnAgent } from '@parley/client/node';
import { capture, loadGrader } from '@parley/harness';

const [command = '', ...args] = process.argv.slice(2);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

await using grader = await loadGrader(here('graders/contains.mjs'));
let passed = 0;
let total = 0;
for await (const { id, score, timing, failure } of capture({
  cases: here('cases.jsonl'),
  agent: (cwd) => spawnAgent(command, args, { cwd }),
  workspace: { kind: 'empty' },
  connect: { workspace: {}, permissions: { mode: 'acceptEdits' } },
  grader,
  concurrency: 2,
  isInOrder: true,
})) {
  total += 1;
  if (score?.pass) passed += 1;
  console.log(`${id}: ${failure ?? (score?.pass ? 'passed' : 'failed')} in ${timing.total} ms`);
}
console.log(`${passed} of ${total} passed`);
