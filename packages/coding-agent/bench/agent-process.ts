import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A raw client of one agent process: no more than lines in and lines out, so that only the agent is measured. */
export interface AgentProcess extends AsyncDisposable {
  readonly cwd: string;
  request(method: string, params: object): Promise<Record<string, unknown>>;
  notify(method: string, params: object): void;
  /** Resolves with the first message from now on that fits. */
  waitFor(fits: (message: Record<string, unknown>) => boolean): Promise<void>;
  /** What the process has used so far, in milliseconds of all its threads. */
  cpuMs(): number;
}

/** The kernel counts time in these. */
const TICKS_PER_SECOND = 100;

export function startAgentProcess(file: string, env: Readonly<Record<string, string>> = {}): AgentProcess {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const { NODE_OPTIONS: _, ...rest } = process.env;
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [file], {
    env: { PATH: rest.PATH, HOME: home, XDG_STATE_HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
  const answers = new Map<number, (message: Record<string, unknown>) => void>();
  const waiting = new Set<{ fits: (message: Record<string, unknown>) => boolean; resolve: () => void }>();
  let lastId = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Updates are only looked at while somebody waits for one.
    if (waiting.size === 0 && line.includes('"session/update"')) return;
    const message = JSON.parse(line) as Record<string, unknown>;
    for (const each of [...waiting]) {
      if (!each.fits(message)) continue;
      waiting.delete(each);
      each.resolve();
    }
    if (message.method === 'session/request_permission') {
      send({ id: message.id, result: { outcome: { outcome: 'selected', optionId: 'allow' } } });
    } else if (typeof message.id === 'number' && message.method === undefined) answers.get(message.id)?.(message);
  });
  return {
    cwd: home,
    async request(method, params) {
      const id = ++lastId;
      const answered = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve));
      send({ id, method, params });
      const { result, error } = await answered;
      if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result as Record<string, unknown>;
    },
    notify: (method, params) => send({ method, params }),
    waitFor: (fits) => new Promise((resolve) => waiting.add({ fits, resolve })),
    cpuMs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'close');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
