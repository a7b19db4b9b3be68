import { UsageError } from '../errors.ts';
import type { AgentSource } from '../source/agent-source.ts';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import type { ServiceOptions } from './service-options.ts';

// Files and terminals are given as they are, or as plain options that the platform of the source makes them from.

export function createWorkspace(
  workspace: Workspace | WorkspaceOptions | undefined,
  { host }: AgentSource,
): Workspace | undefined {
  if (!workspace || 'readTextFile' in workspace || 'writeTextFile' in workspace)
    return workspace as Workspace | undefined;
  if (host) return host.createWorkspace(workspace as WorkspaceOptions);
  throw notAvailable('workspace', 'createNodeWorkspace');
}

/** Where terminals run, and within what bounds; undefined when none are served. */
export function createTerminalHost(
  terminals: ServiceOptions['terminals'],
  source: AgentSource,
): (TerminalHostOptions & { readonly host: TerminalHost }) | undefined {
  if (!terminals) return undefined;
  const options: TerminalHostOptions = terminals === true || isHost(terminals) ? {} : terminals;
  const host = terminals !== true && isHost(terminals) ? terminals : source.host?.createTerminals(options);
  if (!host) throw notAvailable('terminals', 'createNodeTerminals');
  return { ...options, host };
}

function isHost(terminals: TerminalHost | TerminalHostOptions): terminals is TerminalHost {
  return 'create' in terminals;
}

function notAvailable(option: string, maker: string): UsageError {
  return new UsageError(
    'not_available',
    `\`${option}\` was given as plain options, but this transport brings no files and processes. Connect with spawnAgent, or pass ${maker}() of @parley/client/node.`,
  );
}
