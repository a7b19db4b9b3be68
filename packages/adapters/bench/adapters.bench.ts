import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVENTS, writeLines } from './bench-lines.ts';

/**
 * CPU of a turn with 10,000 events of a command line behind an adapter, beside reading the same lines from the same command
 * with JSON.parse: npx tsx --conditions=source packages/adapters/bench/adapters.bench.ts [--json]
 * Both count from the start of the command to its end, in a process of their own that has read lines before; the command's own
 * CPU is part of both.
 */
const ROUNDS = 7;

const folder = mkdtempSync(join(tmpdir(), 'parley-adapters-bench-'));
try {
  const lines = join(folder, 'lines.jsonl');
  writeFileSync(lines, writeLines(EVENTS));
  const ratios: number[] = [];
  const rounds: { readonly adapted: number; readonly parsed: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const parsed = cpuOf('parsed', lines);
    const adapted = cpuOf('adapted', lines);
    rounds.push({ adapted, parsed });
    ratios.push(adapted / parsed);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(ROUNDS / 2)] ?? 0;
  const workload = `adapted command line, ${EVENTS} events, CPU over JSON.parse`;
  const figure = { workload, unit: 'x', value, hold: 1.1, spread: (sorted.at(-1) ?? 0) / (sorted[0] ?? 1) };
  if (process.argv.includes('--json')) console.log(JSON.stringify({ figures: [figure] }));
  else {
    for (const { adapted, parsed } of rounds)
      console.log(`adapted ${adapted.toFixed(1)} ms, parsed ${parsed.toFixed(1)} ms`);
    console.log(`${workload}: ${value.toFixed(3)} x, to be at most 1.1 x`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Milliseconds of CPU of one turn, with those of the command. */
function cpuOf(kind: 'adapted' | 'parsed', lines: string): number {
  const program = fileURLToPath(new URL('./bench-turn.ts', import.meta.url));
  const report = join(folder, 'report.json');
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', program, kind, lines, report],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (status !== 0) throw new Error(`${program} ${kind} exited with code ${status}`);
  return (JSON.parse(readFileSync(report, 'utf8')) as { readonly cpuMs: number }).cpuMs;
}
