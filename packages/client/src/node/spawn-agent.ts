import { spawn } from 'node:child_process';
import { type SpawnProcessOptions, spawnProcess } from '@parley/transports/process';
import { type AgentAddress, formatAddress, parseAddress } from '../source/address.ts';
import type { AgentSource, AgentWire, TerminalLogin } from '../source/agent-source.ts';
import { networkAgent } from './network-agent.ts';
import { nodeHost } from './node-host.ts';

export interface SpawnAgentOptions extends Omit<SpawnProcessOptions, 'command' | 'args' | 'env'> {
  /** Added to this process's environment; undefined removes a variable. Agents expect to find their keys there. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The agent gets only `env`, and nothing of this process's environment. */
  readonly isEnvWhole?: boolean;
}

/** An agent that is a command. It runs in a process group of its own, and nothing of it is left after `close`. */
export function spawnAgent(
  command: string,
  args: readonly string[] = [],
  options: SpawnAgentOptions = {},
): AgentSource {
  const { env = {}, isEnvWhole = false, ...spawnOptions } = options;
  const fullEnv = isEnvWhole ? env : { ...process.env, ...env };
  return {
    name: formatAddress({ kind: 'command', command, args }),
    host: nodeHost,
    async open(): Promise<AgentWire> {
      const asides = createAsides();
      const transport = await spawnProcess({
        ...spawnOptions,
        command,
        args,
        env: fullEnv,
        onStderr: (text) => {
          spawnOptions.onStderr?.(text);
          asides.tell('stderr', text);
        },
        onNoise: (line) => {
          spawnOptions.onNoise?.(line);
          asides.tell('noise', line);
        },
      });
      return {
        transport,
        inspect: () => {
          const { lines, first } = transport.noise;
          const [firstNoise] = first;
          const { stderrTail } = transport.process;
          return { stderrTail, noiseLines: lines, ...(firstNoise !== undefined && { firstNoise }) };
        },
        watch: asides.watch,
      };
    },
    authenticateInTerminal: (login, signal) =>
      runLogin(
        {
          command,
          args,
          env: { ...fullEnv, ...options.secrets },
          ...(options.cwd !== undefined && { cwd: options.cwd }),
        },
        login,
        signal,
      ),
  };
}

type AsideListener = Parameters<NonNullable<AgentWire['watch']>>[0];

/** Whoever hears of what an agent says beside its messages. Its first words come before anybody can listen, and are kept. */
function createAsides(): { readonly tell: AsideListener; readonly watch: NonNullable<AgentWire['watch']> } {
  const listeners = new Set<AsideListener>();
  let first: Parameters<AsideListener>[] | undefined = [];
  return {
    tell(kind, text) {
      if (first && first.length < MAX_FIRST_WORDS) first.push([kind, text]);
      for (const listener of listeners) listener(kind, text);
    },
    watch(listener) {
      for (const [kind, text] of first ?? []) listener(kind, text);
      first = undefined;
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const MAX_FIRST_WORDS = 20;

/** An agent by its address, as a person writes it: a command line to run, or a server to dial. */
export function agentAt(address: string | AgentAddress, options: SpawnAgentOptions = {}): AgentSource {
  const parsed = typeof address === 'string' ? parseAddress(address) : address;
  if (parsed.kind !== 'command') return networkAgent(parsed, { env: { ...process.env, ...options.env } });
  const { command, args, env, cwd } = parsed;
  return spawnAgent(command, args, {
    ...(cwd !== undefined && { cwd }),
    ...options,
    env: { ...env, ...options.env },
  });
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** Runs the agent's own program with the login's arguments, in the person's terminal; exit code 0 is success. */
function runLogin({ command, args, env, cwd }: Program, login: TerminalLogin, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const words = [...(login.command === undefined ? args : []), ...(login.args ?? [])];
    const child = spawn(login.command ?? command, words, {
      stdio: 'inherit',
      env: { ...env, ...login.env },
      signal,
      ...(cwd !== undefined && { cwd }),
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
