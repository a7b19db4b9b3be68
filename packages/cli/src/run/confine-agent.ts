import { dirname, isAbsolute } from 'node:path';
import type { CommandAddress } from '@parley/client';
import { openSandbox } from '@parley/coding-agent/sandbox';
import { findHome } from '@parley/host/places';
import { findProgram } from '@parley/host/programs';
import { ownFoldersOf } from '../agents/agent-sandbox.ts';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';
import { CliError } from '../errors.ts';

/** The command that runs an agent in the system's sandbox. Throws where there is none: a sandbox that was asked for is not left out. */
export async function confineAgent(
  agent: ResolvedAgent,
  address: CommandAddress,
  cwd: string,
): Promise<CommandAddress> {
  const { network = 'on', writable = [] } = agent.sandbox ?? {};
  const home = findHome() ?? '/';
  const hasNetwork = network === 'on';
  const state = await openSandbox({
    profile: 'workspace',
    roots: [cwd],
    hasNetwork,
    // Agents talk to editors and to their own processes by them.
    hasSockets: hasNetwork,
    // The agent itself may be in /tmp, which is another one inside.
    readable: [address.command, ...address.args].filter(isAbsolute).flatMap((path) => [dirname(path), path]),
    writable: [...ownFoldersOf(agent, home), ...writable.map((path) => path.replace(/^~(?=\/|$)/, home))],
  });
  if (!state.isThere) {
    throw new CliError('sandbox_missing', `${agent.name} is to run in a sandbox. ${state.because}`, {
      next: [state.missingPackage === undefined ? 'parley doctor' : `apt-get install ${state.missingPackage}`],
    });
  }
  const { command, args } = state.confine(
    { command: findProgram(address.command) ?? address.command, args: address.args },
    cwd,
  );
  return { ...address, command, args };
}
