import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox } from '../src/sandbox/open-sandbox.ts';

/** CPU of a command in the sandbox over the same command without it: npx tsx --conditions=source packages/coding-agent/bench/sandbox.bench.ts [--json] */
const RUNS = 40;
const ROUNDS = 5;
const COMMAND = { command: '/bin/bash', args: ['--noprofile', '--norc', '-p', '-c', 'true'] };
/** Prints the CPU of the sandbox's first process, which mounts everything; its parent does not wait for it, so bash cannot count it. */
const FIRST_PROCESS = { command: '/bin/cat', args: ['/proc/1/schedstat', '/proc/self/schedstat'] };
const PROFILES = ['reading', 'workspace'] as const;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-bench-')));
const figures: object[] = [];
for (const profile of PROFILES) {
  const state = await openSandbox({ roots: [folder], profile });
  // A machine without bubblewrap has nothing to measure.
  if (!state.isThere) continue;
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let run = 0; run < RUNS; run++) state.confine(COMMAND, folder);
    const { user, system } = process.cpuUsage(before);
    const building = (user + system) / 1000 / RUNS;
    const inside = state.confine(COMMAND, folder);
    const first = state.confine(FIRST_PROCESS, folder);
    costs.push(building + childCpuMs(inside) + firstCpuMs(first) - childCpuMs(COMMAND));
  }
  costs.sort((a, b) => a - b);
  const value = costs[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  const spread = (costs.at(-1) ?? 1) / Math.max(costs[0] ?? 1, 0.001);
  figures.push({ workload: `sandbox: true, ${profile}`, unit: 'ms CPU more per command', value, hold: 15, spread });
}
rmSync(folder, { recursive: true, force: true });
console.log(process.argv.includes('--json') ? JSON.stringify({ figures }) : figures);

/** CPU of one run, user and system, as bash counts that of its children. */
function childCpuMs({ command, args }: { readonly command: string; readonly args: readonly string[] }): number {
  const script = `for ((i = 0; i < ${RUNS}; i++)); do "$@"; done; times`;
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', command, ...args], { encoding: 'utf8' });
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return (seconds.reduce((sum, each) => sum + each, 0) * 1000) / RUNS;
}

function firstCpuMs({ command, args }: { readonly command: string; readonly args: readonly string[] }): number {
  const times = Array.from({ length: RUNS }, () => {
    const { stdout } = spawnSync(command, [...args], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    return lines.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0);
  });
  return times.reduce((sum, each) => sum + each, 0) / RUNS;
}
