import type { Client, Terminal } from '@parley/agent';
import type {
  ConnectOptions,
  HostedTerminal,
  ReadRequest,
  TerminalExit,
  TerminalHost,
  TerminalRequest,
  Workspace,
  WorkspaceOptions,
  WriteRequest,
} from '@parley/client';
import { createNodeTerminals, createNodeWorkspace } from '@parley/client/node';
import { RpcError } from '@parley/jsonrpc';
import type { ClientOffers } from '@parley/session';
import type { HostOptions } from './host-options.ts';
import { toAgent } from './refusals.ts';

export interface ClientServicesOptions extends Pick<HostOptions, 'fromClients' | 'workspace' | 'terminals'> {
  /** What the client offers for which the agent is started. */
  readonly offers: Pick<ClientOffers, 'readTextFile' | 'writeTextFile' | 'terminals'>;
  /** The client that prompts a session of the agent, or has it open. */
  readonly clientOf: (sessionId: string) => Client | undefined;
}

/**
 * The files and terminals that an agent is told of: those of the client that prompts it, and else those of this machine. What
 * neither has is refused when it is asked for.
 */
export function createClientServices(options: ClientServicesOptions): Pick<ConnectOptions, 'workspace' | 'terminals'> {
  const workspace = createWorkspace(options);
  const terminals = createTerminals(options);
  return { ...(workspace && { workspace }), ...(terminals && { terminals }) };
}

function createWorkspace({
  fromClients = true,
  offers,
  clientOf,
  ...options
}: ClientServicesOptions): Workspace | undefined {
  const own = ownWorkspace(options.workspace);
  const offered = (sessionId: string, name: 'readTextFile' | 'writeTextFile'): Client | undefined => {
    const client = fromClients ? clientOf(sessionId) : undefined;
    return client?.offers[name] ? client : undefined;
  };
  const reads = own?.readTextFile !== undefined || (fromClients && offers.readTextFile);
  const writes = own?.writeTextFile !== undefined || (fromClients && offers.writeTextFile);
  if (!reads && !writes) return undefined;
  return {
    isElsewhere: (sessionId) =>
      offered(sessionId, 'readTextFile') !== undefined || offered(sessionId, 'writeTextFile') !== undefined,
    ...(reads && {
      async readTextFile(request: ReadRequest) {
        const { sessionId, path, line, limit, signal } = request;
        const range = { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
        const client = offered(sessionId, 'readTextFile');
        if (client) return await asked(client.readTextFile(path, { ...range, signal }));
        if (own?.readTextFile) return await own.readTextFile(request);
        throw notOffered('files to read');
      },
    }),
    ...(writes && {
      async writeTextFile(request: WriteRequest) {
        const { sessionId, path, content, signal } = request;
        const client = offered(sessionId, 'writeTextFile');
        if (client) return await asked(client.writeTextFile(path, content, { signal }));
        if (own?.writeTextFile) return await own.writeTextFile(request);
        throw notOffered('files to write');
      },
    }),
  };
}

function createTerminals({
  fromClients = true,
  offers,
  clientOf,
  ...options
}: ClientServicesOptions): TerminalHost | undefined {
  const own = ownTerminals(options.terminals);
  if (!own && !(fromClients && offers.terminals)) return undefined;
  const offered = (sessionId: string): Client | undefined => {
    const client = fromClients ? clientOf(sessionId) : undefined;
    return client?.offers.terminals ? client : undefined;
  };
  return {
    isElsewhere: (sessionId) => offered(sessionId) !== undefined,
    async create(request: TerminalRequest) {
      const { sessionId, command, args, env, cwd, outputByteLimit } = request;
      const client = offered(sessionId);
      if (client) return atClient(await asked(client.createTerminal({ command, args, env, cwd, outputByteLimit })));
      if (own) return await own.create(request);
      throw notOffered('terminals');
    },
  };
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

/** A terminal that runs at the client, under the name that the client gave it. */
function atClient(terminal: Terminal): HostedTerminal {
  let exited: Promise<TerminalExit> | undefined;
  const waitForExit = async (): Promise<TerminalExit> => {
    const { exitCode, signal } = await asked(terminal.waitForExit());
    return { exitCode: exitCode ?? null, signal: signal ?? null };
  };
  return {
    id: terminal.id,
    exit: undefined,
    /** Asked for when somebody waits for it, and once. */
    get exited() {
      exited ??= waitForExit();
      return exited;
    },
    async readOutput() {
      const { output, truncated, exitStatus } = await asked(terminal.output());
      const exit = exitStatus && { exitCode: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null };
      return { output, isTruncated: truncated, ...(exit && { exit }) };
    },
    kill: () => asked(terminal.kill()),
    release: () => asked(terminal.release()),
  };
}

async function asked<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    throw toAgent(error);
  }
}

function notOffered(what: string): RpcError {
  return RpcError.internalError(`Neither the client of this session nor the gateway offers ${what}.`, {
    reason: 'not_offered',
  });
}
