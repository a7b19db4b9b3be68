// Runs a command with another version of Node first on the PATH: `node scripts/on-node.mjs 24 npm test`.
// The version is a major (24), a minor (20.19) or exact (24.21.0). npm installs it once, without install scripts, into the
// user's cache folder: `npm ci` empties node_modules, and the command may be running from there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, constants as osConstants } from 'node:os';
import { delimiter, join } from 'node:path';

const isWindows = process.platform === 'win32';
const cache = join(cacheFolder(), 'parley', 'node-versions');
const packageName = platformPackage();

const [wanted, command, ...args] = process.argv.slice(2);
if (!wanted || !command) fail('Usage: node scripts/on-node.mjs <version> <command> [arguments]');
if (!/^\d+(\.\d+){0,2}$/.test(wanted)) {
  fail(`"${wanted}" is not a version of Node; use a major such as 24 or an exact version such as 24.21.0.`);
}

const version = findVersion();
const bin = binFolder(version) ?? installVersion(version);
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const run = spawnSync(command, args, { stdio: 'inherit', env, shell: isWindows });
if (run.error) fail(`Cannot run ${command}: ${run.error.message}`);
process.exit(run.signal ? 128 + (osConstants.signals[run.signal] ?? 0) : (run.status ?? 1));

/** The newest published version that matches; without a registry, the newest one in the cache. */
function findVersion() {
  if (binFolder(wanted)) return wanted;
  const view = npm(['view', `${packageName}@${wanted}`, 'version', '--json']);
  const answer = parseJson(view.stdout);
  if (view.status === 0 && answer) return newest([answer].flat());
  if (answer?.error?.code === 'E404') {
    fail(`Node ${wanted} is not published for this machine (npm package ${packageName}). Use another version.`);
  }
  const cached = newest(cachedVersions().filter((name) => name.startsWith(`${wanted}.`)));
  if (cached) return cached;
  const cause = answer?.error?.summary || view.stderr.trim();
  return fail(
    `Node ${wanted} is not in ${cache}, and npm cannot reach its registry: ${cause}\nCheck the network connection, then run the same command again.`,
  );
}

/** Installs into a folder of its own first: an interrupted installation leaves nothing that looks complete. */
function installVersion(exact) {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'installing-'));
  process.on('exit', () => rmSync(unfinished, { recursive: true, force: true }));
  console.error(`Installing Node ${exact} (once)...`);
  const install = npm([
    'install',
    `--prefix=${unfinished}`,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${packageName}@${exact}`,
  ]);
  if (install.status !== 0) fail(`npm cannot install Node ${exact}: ${install.stderr.trim()}`);
  try {
    renameSync(unfinished, join(cache, exact));
  } catch (error) {
    // Another process has installed the same version in the meantime.
    if (!binFolder(exact)) throw error;
  }
  return binFolder(exact) ?? fail(`The npm package ${packageName}@${exact} contains no bin/node.`);
}

function binFolder(exact) {
  const folder = join(cache, exact, 'node_modules', packageName, 'bin');
  const names = listFolder(folder);
  return names.includes('node') || names.includes('node.exe') ? folder : undefined;
}

function cachedVersions() {
  return listFolder(cache).filter((name) => binFolder(name));
}

function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function newest(versions) {
  const collator = new Intl.Collator('en', { numeric: true });
  return versions.sort(collator.compare).at(-1);
}

/** The same names that the npm package `node` chooses from. */
function platformPackage() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const arch = isWindows && process.arch === 'ia32' ? 'x86' : process.arch;
  return `${prefix}-${isWindows ? 'win' : process.platform}-${arch}`;
}

function cacheFolder() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (isWindows) return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
}

function npm(words) {
  return spawnSync('npm', [...words, '--loglevel=error'], { encoding: 'utf8', shell: isWindows });
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
