import type { Route, RouteReply, RouteRequest } from '@parley/transports/listen';
import type { AgentsReply } from '../../api/index.ts';
import { AllowedFolders } from '../folders/allowed-folders.ts';
import { listFolders } from '../folders/list-folders.ts';
import { readChanges } from '../git/changes.ts';
import { listFiles } from '../git/list-files.ts';
import { trafficRoute } from './traffic-route.ts';
import { watchLines } from './watch-lines.ts';
import type { WebGateway } from './web-gateway.ts';

export interface ApiOptions {
  readonly gateway: WebGateway;
  /** Where a session works unless somebody chooses another folder. */
  readonly cwd: string;
  /** Folders below which the page may complete paths and files, besides those of sessions. Default: `cwd`. */
  readonly roots?: readonly string[];
}

/** What the page asks for, beside ACP. Whoever asks sees their own sessions, and folders that they may look into. */
export function apiRoutes({ gateway, cwd, roots = [cwd] }: ApiOptions): Readonly<Record<string, Route>> {
  const allowed = new AllowedFolders({ gateway, roots });
  const inFolder = async (
    { query, principal = '' }: RouteRequest,
    answer: (folder: string) => Promise<unknown>,
  ): Promise<RouteReply> => {
    const folder = await allowed.find(query.get('cwd') ?? '', principal);
    return folder === undefined ? NO_FOLDER : json(await answer(folder));
  };
  return {
    '/api/agents': forToken(({ principal = '' }) => {
      const agents = gateway.names.map((name) => ({ name, isDefault: name === gateway.defaultAgent }));
      return json({ agents, cwd, principal } satisfies AgentsReply);
    }),
    '/api/sessions': forToken(async ({ principal = '', query }) => {
      const agent = query.get('agent');
      const folder = query.get('cwd');
      const filter = { principal, ...(agent !== null && { agent }), ...(folder !== null && { cwd: folder }) };
      return json(await gateway.sessions(filter));
    }),
    '/api/watch': forToken(({ principal = '', signal }) => ({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' },
      body: watchLines(gateway.watchSessions({ principal, signal }), signal),
    })),
    '/api/files': forToken((request) =>
      inFolder(request, (folder) => listFiles(folder, request.query.get('query') ?? '', request.signal)),
    ),
    '/api/changes': forToken((request) => inFolder(request, (folder) => readChanges(folder, request.signal))),
    '/api/folders': forToken(async ({ principal = '', query }) =>
      json(await listFolders(query.get('prefix') ?? '', { allowed, principal })),
    ),
    '/api/traffic': trafficRoute(gateway),
  };
}

const NO_FOLDER: RouteReply = {
  status: 404,
  body: 'There is no such folder, or it is not one of your sessions.\n',
};

function forToken(handle: Route['handle']): Route {
  return { access: 'token', handle };
}

function json(value: unknown): RouteReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
