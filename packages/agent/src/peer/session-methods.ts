import { RpcError } from '@parley/jsonrpc';
import type { PeerService } from './peer-service.ts';

interface SessionParams {
  readonly sessionId: string;
}

interface ListParams {
  readonly cwd?: string | null;
  readonly cursor?: string | null;
}

/** A session as lists tell of it, in every version. */
interface ListedSession {
  sessionId: string;
  cwd: string;
  title?: string;
  updatedAt: string;
  archived?: boolean;
}

/** The methods that are the same in every version. */
export function sessionMethods({ definition, client }: PeerService): {
  'session/list': (params: ListParams) => Promise<{ sessions: ListedSession[]; nextCursor?: string }>;
  'session/close': (params: SessionParams) => Promise<Record<string, never>>;
  'session/delete': (params: SessionParams) => Promise<Record<string, never>>;
} {
  const { isUnstable } = definition;
  return {
    'session/list': async (params) => {
      const { cwd, cursor } = params;
      const archived = isUnstable ? readArchived(params) : undefined;
      const page = await client.listSessions({ cwd: cwd ?? undefined, cursor: cursor ?? undefined, archived });
      return {
        sessions: page.sessions.map(({ id, cwd: folder, title, updatedAtMs, isArchived }) => ({
          sessionId: id,
          cwd: folder,
          ...(title !== null && { title }),
          updatedAt: new Date(updatedAtMs).toISOString(),
          ...(isUnstable && isArchived && { archived: true }),
        })),
        ...(page.nextCursor !== null && { nextCursor: page.nextCursor }),
      };
    },
    'session/close': async ({ sessionId }) => {
      await client.closeSession(sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }) => {
      await client.deleteSession(sessionId);
      return {};
    },
  };
}

/** Unstable: whether archived sessions are listed. */
function readArchived(params: object): 'exclude' | 'only' | 'include' | undefined {
  const { archived } = params as { archived?: unknown };
  if (archived == null) return undefined;
  if (archived === 'exclude' || archived === 'only' || archived === 'include') return archived;
  throw RpcError.invalidParams('archived: expected exclude, include or only');
}
