// `npm run bench`: builds, then measures what was built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = spawnSync(process.execPath, ['scripts/build.mjs', '--code'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
const run = fileURLToPath(new URL('../bench/run.mjs', import.meta.url));
process.exit(spawnSync(process.execPath, [run, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
