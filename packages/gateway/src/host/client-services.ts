import type {
  ConnectOptions,
  ReadRequest,
  TerminalHost,
  Workspace,
  WorkspaceOptions,
  WriteRequest,
} from '@parley/client';
import { createNodeTerminals, createNodeWorkspace } from '@parley/client/node';
import { RpcError } from '@parley/jsonrpc';
import type { ClientOffers } from '@parley/session';
import type { HostOptions } from './host-options.ts';

export interface ClientServicesOptions extends Pick<HostOptions, 'fromClients' | 'workspace' | 'terminals'> {
  /** What the client offers for which the agent is started. */
  readonly offers: Pick<ClientOffers, 'readTextFile' | 'writeTextFile' | 'terminals'>;
}

/**
 * The files and terminals that an agent is told of, and those of this machine. What clients have they are asked for before
 * (`ServicesAtClients`); what nobody has is refused when it is asked for.
 */
export function createClientServices(options: ClientServicesOptions): Pick<ConnectOptions, 'workspace' | 'terminals'> {
  const workspace = createWorkspace(options);
  const terminals = createTerminals(options);
  return { ...(workspace && { workspace }), ...(terminals && { terminals }) };
}

function createWorkspace({ fromClients = true, offers, workspace }: ClientServicesOptions): Workspace | undefined {
  const own = ownWorkspace(workspace);
  const reads = own?.readTextFile !== undefined || (fromClients && offers.readTextFile);
  const writes = own?.writeTextFile !== undefined || (fromClients && offers.writeTextFile);
  if (!reads && !writes) return undefined;
  return {
    ...(reads && {
      async readTextFile(request: ReadRequest) {
        if (own?.readTextFile) return await own.readTextFile(request);
        throw notOffered('files to read');
      },
    }),
    ...(writes && {
      async writeTextFile(request: WriteRequest) {
        if (own?.writeTextFile) return await own.writeTextFile(request);
        throw notOffered('files to write');
      },
    }),
  };
}

function createTerminals({ fromClients = true, offers, terminals }: ClientServicesOptions): TerminalHost | undefined {
  const own = ownTerminals(terminals);
  if (own || !(fromClients && offers.terminals)) return own;
  return { create: async () => Promise.reject(notOffered('terminals')) };
}

function ownWorkspace(workspace: HostOptions['workspace']): Workspace | undefined {
  if (!workspace || 'readTextFile' in workspace || 'writeTextFile' in workspace)
    return workspace as Workspace | undefined;
  return createNodeWorkspace(workspace as WorkspaceOptions);
}

function ownTerminals(terminals: HostOptions['terminals']): TerminalHost | undefined {
  if (!terminals) return undefined;
  if (terminals !== true && 'create' in terminals) return terminals;
  return createNodeTerminals(terminals === true ? {} : terminals);
}

function notOffered(what: string): RpcError {
  return RpcError.internalError(`Neither the client of this session nor the gateway offers ${what}.`, {
    reason: 'not_offered',
  });
}
