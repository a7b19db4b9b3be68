import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Confine, SandboxProfile } from './confine.ts';

const PROBE_TIMEOUT_MS = 10_000;

/** What each line of the probe's report would mean if it were missing. */
const MUST_REPORT: Readonly<Record<string, string>> = {
  'outside hidden': 'files outside the workspace could be read',
  'outside kept': 'files outside the workspace could be written',
  'no network': 'the network could be reached',
  'no remount': 'the file system could be remounted',
  'kernel kept': 'settings of the kernel could be changed',
};

/** Tries to break out, with a file and a port that are really there. Undefined when everything was denied. */
export async function proveDenial(
  profile: SandboxProfile,
  create: (roots: readonly string[]) => Confine,
): Promise<string | undefined> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-sandbox-')));
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')];
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    await Promise.all([mkdir(inside), mkdir(outside)]);
    await writeFile(join(outside, 'secret'), 'secret');
    const { port } = server.address() as { readonly port: number };
    const probe = { command: process.execPath, args: ['-e', PROBE, inside, outside, String(port)] };
    const { command, args } = create([inside])(probe, inside);
    const { stdout } = await promisify(execFile)(command, [...args], { timeout: PROBE_TIMEOUT_MS, env: {} });
    const isWritten = (await readFile(join(inside, 'probe'), 'utf8').catch(() => '')) === 'probe';
    const isBroken = (await readFile(join(outside, 'secret'), 'utf8')) !== 'secret';
    if (isWritten !== (profile !== 'reading'))
      return isWritten ? 'the workspace could be written to' : 'the workspace could not be written to';
    if (isBroken) return MUST_REPORT['outside kept'];
    return Object.entries(MUST_REPORT).find(([line]) => !stdout.includes(line))?.[1];
  } catch (error) {
    return (error as Error & { stderr?: string }).stderr?.trim() || (error as Error).message;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs inside, in plain Node. `mount` is not everywhere; without it nothing is remounted. */
const PROBE = `
const fs = require('node:fs');
const { spawnSync } = require('node:child_process');
const [inside, outside, port] = process.argv.slice(1);
const fails = (work) => { try { work(); return false; } catch { return true; } };
const isUsrKept = () => fails(() => { fs.writeFileSync('/usr/parley-probe', 'x'); fs.rmSync('/usr/parley-probe'); });
fails(() => fs.writeFileSync(inside + '/probe', 'probe'));
if (fails(() => fs.readFileSync(outside + '/secret'))) console.log('outside hidden');
if (fails(() => fs.writeFileSync(outside + '/secret', 'x')) && isUsrKept()) console.log('outside kept');
const attempts = [['/', 'remount,bind,rw'], ['/usr', 'remount,bind,rw'], ['/usr', 'remount,bind,rw,nosuid,nodev,relatime']];
const isRemounted = attempts.some(([at, how]) => spawnSync('mount', ['-o', how, at], { stdio: 'ignore' }).status === 0);
if (!isRemounted && isUsrKept()) console.log('no remount');
if (fails(() => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'a')))) console.log('kernel kept');
const socket = require('node:net').connect(Number(port), '127.0.0.1');
socket.on('connect', () => process.exit());
socket.on('error', () => { console.log('no network'); process.exit(); });
`;
