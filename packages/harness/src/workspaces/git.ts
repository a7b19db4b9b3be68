import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Most that git may write, patches included. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs git in a folder. What the environment says about another repository does not count, no hook runs, and no settings of the person change the output. */
export async function git({ cwd, env = {} }: GitOptions, ...args: readonly string[]): Promise<string> {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { stdout } = await run('git', [...PLAIN, ...args], {
    cwd,
    env: { ...clean, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout.replace(/\n$/, '');
}

const PLAIN = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.autocrlf=false',
  '-c',
  'diff.external=',
  '-c',
  'diff.noprefix=false',
  '-c',
  'advice.addEmbeddedRepo=false',
];
