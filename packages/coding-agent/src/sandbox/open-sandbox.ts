import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '@parley/host/programs';
import { type Confine, createBubblewrap } from './bubblewrap.ts';

/** A sandbox that was seen to hold, or why there is none. */
export type SandboxState =
  | { readonly isThere: true; readonly confine: Confine }
  | { readonly isThere: false; readonly because: string };

export interface OpenSandboxOptions {
  readonly roots: readonly string[];
  /** Where `bwrap` is looked for. Default: the PATH. */
  readonly path?: string;
}

const PROBE_TIMEOUT_MS = 10_000;

/** What each word of the probe's report would mean if it were missing. */
const MUST_REPORT: Readonly<Record<string, string>> = {
  'wrote inside': 'the workspace could not be written to',
  'outside hidden': 'files outside the workspace could be read',
  'outside kept': 'files outside the workspace could be written',
  'no network': 'the network could be reached',
};

let lastProof: { readonly command: string; readonly failure: Promise<string | undefined> } | undefined;

/** Finds bubblewrap and proves, once per process, that it denies what it should. Nothing is taken on trust. */
export async function openSandbox({ roots, path }: OpenSandboxOptions): Promise<SandboxState> {
  if (process.platform !== 'linux') return missing('bubblewrap works on Linux only');
  const command = findProgram('bwrap', path === undefined ? {} : { env: { PATH: path } });
  if (command === undefined) return missing('bubblewrap (`bwrap`) is not installed on this machine');
  if (lastProof?.command !== command) lastProof = { command, failure: proveDenial(command) };
  const failure = await lastProof.failure;
  return failure === undefined
    ? { isThere: true, confine: await createBubblewrap({ command, roots }) }
    : missing(`bubblewrap does not hold here: ${failure}`);
}

function missing(because: string): SandboxState {
  return {
    isThere: false,
    because: `There is no sandbox: ${because}. Nothing was run; choose another tool preset to work without one.`,
  };
}

/** Tries to break out, with a file and a port that are really there. Undefined when everything was denied. */
async function proveDenial(command: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sandbox-'));
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')];
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    await Promise.all([mkdir(inside), mkdir(outside)]);
    await writeFile(join(outside, 'secret'), 'secret');
    const { port } = server.address() as { readonly port: number };
    const confine = await createBubblewrap({ command, roots: [inside] });
    const probe = { command: process.execPath, args: ['-e', PROBE, inside, outside, String(port)] };
    const { command: program, args } = confine(probe, inside);
    const { stdout } = await promisify(execFile)(program, [...args], { timeout: PROBE_TIMEOUT_MS, env: {} });
    const isWritten = (await readFile(join(inside, 'probe'), 'utf8').catch(() => '')) === 'probe';
    const isBroken = (await readFile(join(outside, 'secret'), 'utf8')) !== 'secret';
    if (!isWritten) return MUST_REPORT['wrote inside'];
    if (isBroken) return MUST_REPORT['outside kept'];
    return Object.entries(MUST_REPORT).find(([word]) => !stdout.includes(word))?.[1];
  } catch (error) {
    return (error as Error & { stderr?: string }).stderr?.trim() || (error as Error).message;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs inside, in plain Node. */
const PROBE = `
const fs = require('node:fs');
const [inside, outside, port] = process.argv.slice(1);
const fails = (work) => { try { work(); return false; } catch { return true; } };
fs.writeFileSync(inside + '/probe', 'probe');
console.log('wrote inside');
if (fails(() => fs.readFileSync(outside + '/secret'))) console.log('outside hidden');
if (fails(() => fs.writeFileSync(outside + '/secret', 'x')) && fails(() => fs.writeFileSync('/usr/parley-probe', 'x'))) console.log('outside kept');
const socket = require('node:net').connect(Number(port), '127.0.0.1');
socket.on('connect', () => process.exit());
socket.on('error', () => { console.log('no network'); process.exit(); });
`;
