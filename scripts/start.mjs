// `npm start`: builds, then offers both faces of Parley in the folder it was called from: the chat in this terminal, or the page in a
// browser. Without a terminal it runs one demonstration turn in a temporary folder instead.
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (args, options = {}) => spawnSync(process.execPath, args, { stdio: 'inherit', ...options }).status ?? 1;

const built = run(['scripts/build.mjs', '--code'], { cwd: root });
if (built !== 0) process.exit(built);

const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
if (isInteractive) {
  // npm runs scripts in the repository; the person meant the folder they are in.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const given = process.argv.slice(2);
  const words = given.length > 0 ? given : await chooseFace();
  process.exit(run([`${root}packages/cli/dist/parley.program.cjs`, ...words], { cwd }));
}
process.exit(run(['--import', 'tsx', '--conditions=source', 'examples/demo.ts'], { cwd: root }));

/** Asks where to talk; Enter chooses the terminal, Ctrl-C neither. */
async function chooseFace() {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  console.log(
    '\nParley has two faces:\n  1  chat in this terminal            parley\n  2  the page in your browser         parley serve --open\n',
  );
  // Ctrl-C and Ctrl-D close it without an answer.
  const leave = () => {
    console.log();
    process.exit(0);
  };
  lines.once('close', leave);
  const answer = await lines.question('Which one? [1] ').catch(leave);
  lines.off('close', leave);
  lines.close();
  return answer.trim() === '2' ? ['serve', '--open'] : [];
}
