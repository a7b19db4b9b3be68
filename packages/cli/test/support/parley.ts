import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentScript, buildScriptedAgent, type ScriptedAgent } from '@parley/testing/scripted-agent';
import { afterAll, beforeAll } from 'vitest';
import { buildParley } from './build-parley.ts';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** What it reads, and then its end. Undefined as a value leaves its input open for `process.stdin`. */
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A command that runs: what it says so far, and how it ends. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Waits until its output has a text. */
  sees(text: string, stream?: 'stdout' | 'stderr'): Promise<void>;
}

/** The real command in a home of its own, with scripted agents to talk to. */
export interface ParleyTests {
  /** The folder the command runs in; new for every test file. */
  readonly folder: string;
  /** The home folder around it. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The built program. */
  readonly program: string;
  start(args: readonly string[], options?: RunOptions): Running;
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** A command line for `--agent` that does what a script says. */
  agent(script: AgentScript): string;
  /** The same as words. */
  agentWords(script: AgentScript): readonly string[];
}

export function useParley(): ParleyTests {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'parley-cli-')));
  const folder = join(home, 'work');
  mkdirSync(folder);
  const running = new Set<ChildProcessWithoutNullStreams>();
  let program = '';
  let scripted: ScriptedAgent | undefined;
  beforeAll(async () => {
    [program, scripted] = await Promise.all([buildParley(), buildScriptedAgent()]);
  }, 180_000);
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await scripted?.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  const env = { PATH, LANG, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };

  function start(args: readonly string[], options: RunOptions = {}): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
    });
    running.add(child);
    const said = { stdout: '', stderr: '' };
    const watchers = new Set<() => void>();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        for (const watcher of watchers) watcher();
      });
    }
    child.stdin.on('error', () => {});
    if (!('input' in options) || options.input !== undefined) child.stdin.end(options.input ?? '');
    const finished = new Promise<Finished>((resolve) => {
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal, ...said });
        for (const watcher of watchers) watcher();
      });
    });
    return {
      process: child,
      finished,
      sees: (text, stream = 'stdout') =>
        new Promise((resolve, reject) => {
          const check = (): void => {
            if (said[stream].includes(text)) resolve();
            else if (!running.has(child)) reject(new Error(`Ended without "${text}":\n${said.stdout}\n${said.stderr}`));
            else return;
            watchers.delete(check);
          };
          watchers.add(check);
          check();
        }),
    };
  }

  function agentWords(script: AgentScript): readonly string[] {
    if (!scripted) throw new Error('The scripted agent is built in beforeAll.');
    const { command, args } = scripted.command(script);
    return [command, ...args];
  }

  return {
    folder,
    home,
    env,
    get program() {
      return program;
    },
    start,
    run: (args, options) => start(args, options).finished,
    agentWords,
    agent: (script) =>
      agentWords(script)
        .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
        .join(' '),
  };
}

/** The lines of NDJSON output as values. */
export function readLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
