// `npm start`: builds, then chats with Parley's coding agent in the folder it was called from. Without a terminal it runs
// one demonstration turn in a temporary folder instead.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (args, options = {}) => spawnSync(process.execPath, args, { stdio: 'inherit', ...options }).status ?? 1;

const built = run(['scripts/build.mjs', '--code'], { cwd: root });
if (built !== 0) process.exit(built);

const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
if (isInteractive) {
  // npm runs scripts in the repository; the person meant the folder they are in.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  process.exit(run([`${root}packages/cli/dist/parley.program.js`, ...process.argv.slice(2)], { cwd }));
}
process.exit(run(['--import', 'tsx', '--conditions=source', 'examples/demo.ts'], { cwd: root }));
