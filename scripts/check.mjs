// `npm run check`: everything that must hold before a commit. `--quick` leaves the tests out.
import { spawnSync } from 'node:child_process';

const STEPS = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['build', 'node', ['scripts/build.mjs']],
  ['types of tests, examples and scripts', 'tsc', ['-p', 'tsconfig.tests.json']],
  ['generated files are current', 'tsx', ['scripts/generate-protocol.ts', '--check']],
  ['published schemas are current', 'tsx', ['--conditions=source', 'scripts/generate-schemas.ts', '--check']],
];
const TESTS = ['tests of all lanes', 'npm', ['run', 'test:all']];

const steps = process.argv.includes('--quick') ? STEPS : [...STEPS, TESTS];
for (const [name, command, args] of steps) {
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error(`check failed: ${name} (${command} ${args.join(' ')})`);
    process.exit(1);
  }
  console.error(`ok: ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
}
