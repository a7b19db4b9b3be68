// Lets the command `acpx` from npm loose on an agent built with @parley/agent, on the same one behind `parley serve` (through
// `parley connect`), and on the coding agent, over real pipes.
// On demand:
//   npx tsx scripts/interop-acpx.ts [folder]
// acpx needs Node 22, so that is installed beside it; both stay in the folder (default: a temporary one) for next time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installAcpx } from '@parley/testing/install-acpx';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'parley-acpx-home-'));
const work = join(home, 'work');
const file = join(work, 'greeting.txt');
const runtimeAgent = fromSource('packages/agent/test/interop-agent.ts', join(home, 'sessions.db'));
const codingAgent = fromSource('packages/coding-agent/src/parley-agent.program.ts');
let agent = runtimeAgent;
const env = { ...process.env, HOME: home, PARLEY_TOKEN: 'token-of-the-interop-test' };
let failures = 0;

const { program, node } = installAcpx(process.argv[2]);
mkdirSync(work);
try {
  await run();
  acpx('--ttl', '1', 'sessions', 'close');
  await runBehindGateway();
  agent = codingAgent;
  runCodingAgent();
} finally {
  acpx('--ttl', '1', 'sessions', 'close');
  rmSync(home, { recursive: true, force: true });
}
console.log(failures === 0 ? 'acpx: all steps passed' : `acpx: ${failures} steps failed`);
process.exit(failures === 0 ? 0 : 1);

/** The same steps, with a gateway and a network between acpx and the agent. */
async function runBehindGateway(): Promise<void> {
  const parley = fromSource('packages/cli/src/parley.program.ts').split(' ');
  const words = [...parley.slice(1), 'serve', '--json', '--port', '0', `interop=${runtimeAgent}`];
  const server = spawn(process.execPath, words, { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    agent = [...parley, 'connect', (JSON.parse(line) as { readonly url: string }).url].join(' ');
    await run('gateway: ');
    acpx('--ttl', '1', 'sessions', 'close');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function run(place = ''): Promise<void> {
  const step = (name: string, isPassed: boolean): void => tell(`${place}${name}`, isPassed);
  step('prompt', acpx('--format', 'quiet', 'exec', 'say hello from acpx').includes('hello from acpx'));

  writeFileSync(file, 'hello');
  acpx('--approve-all', 'exec', `edit ${file}`);
  step('files and permission', readFileSync(file, 'utf8') === 'HELLO');
  writeFileSync(file, 'hello');
  acpx('--policy', JSON.stringify({ autoApprove: ['read'], defaultAction: 'deny' }), 'exec', `edit ${file}`);
  step('permission denied', readFileSync(file, 'utf8') === 'hello');
  step(
    'terminal',
    acpx('--approve-all', '--format', 'quiet', 'exec', 'run /bin/echo from a terminal').includes('from a terminal'),
  );

  step('session/new', acpx('sessions', 'new').includes('sess_'));
  acpx('set-mode', 'edits');
  acpx('set', 'model', 'large');
  const settings = acpx('--ttl', '2', '--format', 'quiet', 'prompt', 'settings');
  step('session/set_mode', settings.includes('"mode":"edits"'));
  step('session/set_config_option', settings.includes('"model":"large"'));

  acpx('prompt', '--no-wait', 'wait');
  await sleep(2000);
  step('session/cancel', acpx('cancel').includes('cancel requested'));
  step('the session goes on', acpx('--format', 'quiet', 'prompt', 'say after the cancel').includes('after the cancel'));
  step('session/list', acpx('sessions', 'list').includes('say hello from acpx'));
  await sleep(4000);
  const resumed = acpx('prompt', 'say after a new start');
  step(
    'session/resume or session/load',
    /session\/(resume|load)/.test(resumed) && resumed.includes('after a new start'),
  );
  step('session/close', acpx('sessions', 'close').includes('sess_'));
}

/** Whole turns of the coding agent on its offline model. */
function runCodingAgent(): void {
  writeFileSync(file, 'hello there');
  const exec = (...args: string[]): string => acpx('--approve-all', '--format', 'quiet', 'exec', ...args);
  tell('coding agent: read', exec('read greeting.txt').includes('hello there'));
  exec('replace "hello" with "goodbye" in greeting.txt');
  tell('coding agent: edit', readFileSync(file, 'utf8') === 'goodbye there');
  tell('coding agent: command', exec('run `node -p 6*7`').includes('42'));
  tell('coding agent: slash command', exec('/help').includes('/undo'));
  acpx('--policy', JSON.stringify({ autoApprove: ['read'], defaultAction: 'deny' }), 'exec', 'delete greeting.txt');
  tell('coding agent: permission denied', existsSync(file));
}

function fromSource(path: string, ...args: string[]): string {
  const loader = new URL('../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href;
  return [process.execPath, '--import', loader, '--conditions=source', join(root, path), ...args].join(' ');
}

function acpx(...args: string[]): string {
  const { stdout, stderr } = spawnSync(node, [program, '--agent', agent, ...args], {
    cwd: work,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return stdout + stderr;
}

function tell(name: string, isPassed: boolean): void {
  console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${name}`);
  if (!isPassed) failures++;
}
