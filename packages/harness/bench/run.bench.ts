/**
 * What a case costs beyond the agent: CPU of the command's own process for many cases with an agent that answers at once, less that of a run without any. The agents are
 * processes of their own and are not counted. The best of some rounds, since a machine only ever adds. node scripts/build.mjs --code, then
 *
 *   npx tsx --conditions=source packages/harness/bench/run.bench.ts [--json]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROUNDS = 3;
const CASES = 40;
const MAX_CPU_MS = 20;
const folder = mkdtempSync(join(tmpdir(), 'parley-run-bench-'));
const inFolder = (name: string): string => join(folder, name);
const parley = fileURLToPath(new URL('../../cli/dist/parley.program.cjs', import.meta.url));

writeFileSync(
  inFolder('meter.mjs'),
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(inFolder('cpu.json'))}, JSON.stringify(process.cpuUsage())));`,
);
writeFileSync(
  inFolder('agent.mjs'),
  `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') send({ id, result: { sessionId: 's' } });
  else if (method === 'session/prompt') {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } };
    send({ method: 'session/update', params: { sessionId: params.sessionId, update } });
    send({ id, result: { stopReason: 'end_turn' } });
  }
});`,
);
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ id: `case-${index}`, input: 'hello' })}\n`).join('');

try {
  const kinds = [
    { workload: 'one case in one folder', flags: [] },
    { workload: 'one case in an empty folder of its own', flags: ['--fresh'] },
  ];
  const figures = kinds.map(({ workload, flags }) => {
    const rounds = Array.from({ length: ROUNDS }, () => (cpuOf(CASES, flags) - cpuOf(0, flags)) / CASES);
    const value = Math.min(...rounds);
    return { workload, unit: 'ms CPU beyond the agent', value, spread: Math.max(...rounds) / value, hold: MAX_CPU_MS };
  });
  if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }));
  else
    for (const { workload, value, unit, hold } of figures)
      console.log(`${workload.padEnd(48)} ${value.toFixed(2).padStart(8)} ${unit} (at most ${hold})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds of CPU that a run of so many cases takes in the command's own process. */
function cpuOf(count: number, flags: readonly string[]): number {
  writeFileSync(inFolder('cases.jsonl'), lines(count));
  const words = ['eval', 'capture', 'cases.jsonl', '-j', '2', '--no-progress', '-o', 'out.jsonl', '--force', ...flags];
  const agent = ['--', process.execPath, inFolder('agent.mjs')];
  const meter = pathToFileURL(inFolder('meter.mjs')).href;
  const { status, stderr } = spawnSync(process.execPath, ['--import', meter, parley, ...words, ...agent], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, XDG_STATE_HOME: inFolder('state'), XDG_CONFIG_HOME: inFolder('config') },
  });
  if (status !== 0) throw new Error(`The run failed with code ${status}: ${stderr}`);
  const { user, system } = JSON.parse(readFileSync(inFolder('cpu.json'), 'utf8')) as NodeJS.CpuUsage;
  return (user + system) / 1000;
}
