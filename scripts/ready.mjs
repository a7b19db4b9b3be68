// Runs a command of this repository: `node scripts/ready.mjs <command> [arguments]`.
// First makes sure that Node is new enough and that the dependencies in package-lock.json are installed, so that every
// npm script works on a fresh clone. Plain JavaScript, because nothing else can be relied on yet.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Parley needs Node 20.19 or newer; this is Node ${process.versions.node}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

if (!isInstalled()) {
  console.error('Installing dependencies (once)...');
  const install = spawnSync(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
  );
  if (install.status !== 0) {
    console.error('npm ci failed, see above. Check the network connection, then run the same command again.');
    process.exit(1);
  }
}

const [command, ...args] = process.argv.slice(2);
if (command) {
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` };
  const run = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (run.error) console.error(`Cannot run ${command}: ${run.error.message}`);
  process.exit(run.signal ? 128 + (osConstants.signals[run.signal] ?? 0) : (run.status ?? 1));
}

/**
 * True when node_modules holds the packages of package-lock.json, by whichever npm command. npm writes the list of installed
 * packages at the end of an installation. The version of Node does not matter: native modules here are prebuilt for Node-API.
 */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const locked = readPackages(join(root, 'package-lock.json'));
  if (!installed || !locked) return false;
  const isSame = (one, other) =>
    one?.version === other?.version && one?.integrity === other?.integrity && one?.link === other?.link;
  return (
    Object.keys(installed).every((path) => isSame(installed[path], locked[path])) &&
    // Optional packages for other systems are not installed; the root has no entry of its own.
    Object.keys(locked).every((path) => installed[path] || locked[path].optional || path === '')
  );
}

function readPackages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
