import { dirname, isAbsolute } from 'node:path';
import type { CommandAddress, ReportDiagnostic } from '@parley/client';
import type { SpawnAgentOptions } from '@parley/client/node';
import { type AllowList, createAllowList, openSandbox } from '@parley/coding-agent/sandbox';
import { CliError } from '@parley/host/command-line';
import { findHome } from '@parley/host/places';
import { findProgram } from '@parley/host/programs';
import { ownFoldersOf } from './agent-sandbox.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

export interface ConfineAgentOptions {
  readonly cwd: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes the hosts that the agent was refused. */
  readonly report?: ReportDiagnostic | undefined;
}

/** An agent's command in the sandbox, and what `spawnAgent` needs to start it. */
export interface ConfinedAgent extends Pick<SpawnAgentOptions, 'serveReceived'> {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command that runs an agent in the system's sandbox. Throws where there is none: a sandbox that was asked for is not left out. */
export async function confineAgent(
  agent: ResolvedAgent,
  address: CommandAddress,
  options: ConfineAgentOptions,
): Promise<ConfinedAgent> {
  const { cwd } = options;
  const { network = 'on', writable = [] } = agent.sandbox ?? {};
  const home = findHome() ?? '/';
  const hasNetwork = network === 'on';
  const allowed = typeof network === 'string' ? undefined : allowHosts(agent, network, options);
  const state = await openSandbox({
    profile: 'workspace',
    roots: [cwd],
    hasNetwork,
    // Agents talk to editors and to their own processes by them. A server behind one may have a network.
    hasSockets: hasNetwork,
    // The agent itself may be in /tmp, which is another one inside.
    readable: [process.execPath, address.command, ...address.args]
      .filter(isAbsolute)
      .flatMap((path) => [dirname(path), path]),
    writable: [...ownFoldersOf(agent, home), ...writable.map((path) => path.replace(/^~(?=\/|$)/, home))],
  });
  if (!state.isThere) {
    throw new CliError('sandbox_missing', `${agent.name} is to run in a sandbox. ${state.because}`, {
      next: [state.missingPackage === undefined ? 'parley doctor' : `apt-get install ${state.missingPackage}`],
    });
  }
  const program = { command: findProgram(address.command) ?? address.command, args: address.args };
  const confined = state.confine(allowed ? allowed.bridge(program) : program, cwd);
  return { ...confined, ...(allowed && { serveReceived: allowed.serveReceived }) };
}

function allowHosts(
  { name }: ResolvedAgent,
  hosts: readonly string[],
  { env, report }: ConfineAgentOptions,
): AllowList {
  const setting = `agents.${name}.sandbox.network`;
  if (process.platform !== 'linux') {
    throw new CliError(
      'sandbox_missing',
      `${name} may reach only the hosts of ${setting}. A list of hosts needs Linux with bubblewrap, so the agent was not started.`,
      { next: [`set ${setting} to "on" or "off"`] },
    );
  }
  return createAllowList({
    hosts,
    setting,
    env,
    onRefusal: (message) => report?.({ kind: 'network_refused', message, direction: 'out' }),
  });
}
