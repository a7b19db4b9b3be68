import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { quoteWord, quoteWords } from '@parley/host/terminal';
import { type ProcessTransport, spawnProcess } from '@parley/transports/process';
import { sleep } from '../../probe/probe.ts';
import type { Protocol } from '../../versions/protocol.ts';
import { AGENT_PLACEHOLDER, AGENT_VARIABLE } from '../client-target.ts';
import { SCENARIOS } from '../scenarios/list.ts';
import type { Mark } from '../scenarios/scripted-agent.ts';
import type { ClientRun } from './client-run.ts';
import { parseTraceLines } from './trace-lines.ts';

export interface RunScenarioOptions {
  readonly protocol: Protocol;
  readonly argv: readonly string[];
  readonly input?: string;
  /** Where the client works; files of the scenario are written there. */
  readonly cwd: string;
  /** Where the agent's launcher and its trace are kept. */
  readonly helperDir: string;
  /** How the scripted agent is started: `node scripted-agent.program.js`. */
  readonly agentArgv: readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long a client may go on after the turn that it was started for. */
const AFTERLIFE_MS = 1500;
const POLL_MS = 20;

/** Starts the client with the agent of one scenario, and tells what it did. A client that does not end is ended. */
export async function runScenario(name: string, options: RunScenarioOptions): Promise<ClientRun> {
  const folder = join(options.helperDir, name);
  await mkdir(folder, { recursive: true });
  const traceFile = join(folder, 'trace.ndjson');
  await writeFile(traceFile, '');
  const agent = await writeLauncher(join(folder, 'agent'), [
    ...options.agentArgv,
    name,
    traceFile,
    String(options.protocol),
  ]);

  const transport = await startClient(agent, options);
  const exited = transport.process.exited;
  let exit: ClientRun['exit'];
  void exited.then(({ code, signal }) => {
    exit = { code, how: signal === null ? `exited with code ${code}` : `was killed by ${signal}` };
  });

  const deadline = performance.now() + options.timeoutMs;
  let hasSignalled = false;
  let doneAt: number | undefined;
  while (!exit && performance.now() < deadline && !options.signal?.aborted) {
    const { marks } = await readTrace(traceFile);
    if (marks.includes('signal') && !hasSignalled) {
      hasSignalled = true;
      process.kill(transport.process.pid, SCENARIOS.get(name)?.signal ?? 'SIGINT');
    }
    if (marks.includes('done')) doneAt ??= performance.now();
    if (doneAt !== undefined && performance.now() - doneAt > AFTERLIFE_MS) break;
    await Promise.race([exited, sleep(POLL_MS)]);
  }
  const ownExit = exit;
  const isAgentOrphaned = ownExit !== undefined && (await isAliveAfter(traceFile, ORPHAN_MS));
  await transport.close();
  const { frames, marks } = await readTrace(traceFile);
  return {
    scenario: name,
    protocol: options.protocol,
    frames,
    marks,
    ...(ownExit && { exit: ownExit }),
    isAgentOrphaned,
    stderr: transport.process.stderrTail,
  };
}

/** A client works in a folder of its own; files in its command, as in `node dist/client.js`, are those of this one. */
function fromHere(word: string): string {
  const isPath = /[./\\]/.test(word) && existsSync(word);
  return isPath ? resolve(word) : word;
}

async function startClient(agent: string, { argv, cwd, input }: RunScenarioOptions): Promise<ProcessTransport> {
  const [command = '', ...args] = argv.map(fromHere).map((word) => word.replaceAll(AGENT_PLACEHOLDER, agent));
  const transport = await spawnProcess({
    command,
    args,
    cwd,
    env: { ...process.env, [AGENT_VARIABLE]: agent },
    eofGraceMs: 300,
    termGraceMs: 500,
    recordsDir: false,
  });
  // What the client prints is not ours to read; it must only not block.
  transport.onFault(() => {});
  transport.onMessage(() => {});
  const { stdin } = transport.process;
  stdin.on('error', () => {});
  if (input === undefined) stdin.end();
  else stdin.write(input.endsWith('\n') ? input : `${input}\n`);
  return transport;
}

/** A command without arguments, so that any client can be given it, however it takes commands. */
async function writeLauncher(path: string, argv: readonly string[]): Promise<string> {
  if (process.platform === 'win32') {
    await writeFile(`${path}.cmd`, `@${argv.map((word) => `"${word}"`).join(' ')}\r\n`);
    return `${path}.cmd`;
  }
  // Started from where the program lies, since a loader in its options may be named relative to that.
  const program = argv.find((word) => word.includes('scripted-agent')) ?? '';
  await writeFile(path, `#!/bin/sh\ncd ${quoteWord(dirname(program))} && exec ${quoteWords(argv)}\n`);
  await chmod(path, 0o755);
  return path;
}

async function readTrace(path: string): Promise<{ frames: ClientRun['frames']; marks: readonly Mark[]; pid?: number }> {
  const lines = parseTraceLines(await readFile(path, 'utf8'));
  const pid = lines.flatMap((line) => ('mark' in line ? [line.pid] : []))[0];
  return {
    frames: lines.flatMap((line) => ('frame' in line ? [line.frame] : [])),
    marks: lines.flatMap((line) => ('mark' in line ? [line.mark] : [])),
    ...(pid === undefined ? {} : { pid }),
  };
}

/** How long an agent may outlive its client. */
const ORPHAN_MS = 2000;

async function isAliveAfter(traceFile: string, graceMs: number): Promise<boolean> {
  for (const deadline = performance.now() + graceMs; performance.now() < deadline; await sleep(POLL_MS)) {
    const { pid, marks } = await readTrace(traceFile);
    if (pid === undefined || marks.includes('input ended') || !(await isRunning(pid))) return false;
  }
  return true;
}

/** A process that has ended and that nobody has asked about can still be signalled, but does not run. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return !/\) [ZX]/.test(stat);
  } catch {
    return false;
  }
}
