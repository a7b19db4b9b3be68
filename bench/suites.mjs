import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Measurements that live beside the package they measure. Each prints `{"figures": [...]}` when given `--json`. */
export const SUITES = [
  'packages/dialects/bench/dialects.bench.ts',
  'packages/policy/bench/decide.bench.ts',
  'packages/store/bench/store.bench.ts',
  'packages/store/bench/postgres.bench.ts',
  'packages/client/bench/client.bench.ts',
  'packages/coding-agent/bench/coding-agent.bench.ts',
  'packages/coding-agent/bench/sandbox.bench.ts',
  'packages/gateway/bench/gateway.bench.ts',
  'packages/adapters/bench/adapters.bench.ts',
  'packages/cli/bench/starts.bench.ts',
  'packages/web/bench/web.bench.ts',
  'packages/harness/bench/run.bench.ts',
  'packages/harness/bench/views.bench.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one of them and gives its figures the shape of all others: `parley` is the value, `holdAtLeast` what must hold. */
export function runSuite(path) {
  const loader = path.endsWith('.ts') ? ['--import', 'tsx', '--conditions=source'] : [];
  const { stdout, status } = spawnSync(process.execPath, [...loader, path, '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${path} exited with code ${status}`);
  const line = stdout.trim().split('\n').at(-1);
  return JSON.parse(line).figures.map(toResult);
}

function toResult({ workload, unit, value, hold = null, isAtLeast = false, spread = 1 }) {
  const ok = hold === null || (isAtLeast ? value >= hold : value <= hold);
  return {
    workload,
    unit,
    parley: Math.round(value * 1000) / 1000,
    sdk: null,
    vscode: null,
    floor: null,
    ratioToSdk: null,
    ratioToFloor: null,
    holdAtLeast: hold,
    spread: { parley: Math.round(spread * 1000) / 1000 },
    ok,
  };
}
