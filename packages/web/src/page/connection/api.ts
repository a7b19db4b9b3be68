import type {
  AgentsReply,
  ChangesReply,
  FilesReply,
  FoldersReply,
  SessionFilter,
  SessionsReply,
  TrafficFilter,
  WatchChange,
} from '../../api/index.ts';
import { readLines } from './read-lines.ts';

/** The HTTP half of the server: what a page needs beside ACP. The token goes along as a header. */
export interface Api {
  agents(signal?: AbortSignal): Promise<AgentsReply>;
  sessions(filter?: SessionFilter, signal?: AbortSignal): Promise<SessionsReply>;
  /** Tells each change until the signal aborts, or the server is gone; resolves or rejects then. */
  watch(onChange: (change: WatchChange) => void, signal: AbortSignal): Promise<void>;
  files(cwd: string, query: string, signal?: AbortSignal): Promise<FilesReply>;
  folders(prefix: string, signal?: AbortSignal): Promise<FoldersReply>;
  changes(cwd: string, signal?: AbortSignal): Promise<ChangesReply>;
  /** Entries of the traffic as they come, several at once; each is as `/api/traffic` writes it. */
  traffic(filter: TrafficFilter, onEntries: (entries: readonly unknown[]) => void, signal: AbortSignal): Promise<void>;
}

/** A request that the server has not answered as it should. */
export class ApiError extends Error {
  /** Of HTTP; 0 when nobody has answered. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export interface ApiOptions {
  /** Where the server is: `https://agents.example`. */
  readonly origin: string;
  readonly token: string;
}

export function createApi({ origin, token }: ApiOptions): Api {
  const open = async (path: string, query: object, signal?: AbortSignal): Promise<Response> => {
    const url = new URL(path, origin);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const headers = { authorization: `Bearer ${token}` };
    let response: Response;
    try {
      response = await fetch(url, { headers, cache: 'no-store', credentials: 'omit', ...(signal && { signal }) });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ApiError(0, 'The server does not answer.', { cause });
    }
    if (!response.ok) throw new ApiError(response.status, (await response.text()).trim() || response.statusText);
    return response;
  };
  const get = async <Reply>(path: string, query: object, signal?: AbortSignal): Promise<Reply> =>
    (await open(path, query, signal)).json() as Promise<Reply>;

  return {
    agents: (signal) => get('/api/agents', {}, signal),
    sessions: (filter = {}, signal) => get('/api/sessions', filter, signal),
    async watch(onChange, signal) {
      const response = await open('/api/watch', {}, signal);
      await readLines(response, (lines) => {
        for (const line of lines) onChange(line as WatchChange);
      });
    },
    files: (cwd, query, signal) => get('/api/files', { cwd, query }, signal),
    folders: (prefix, signal) => get('/api/folders', { prefix }, signal),
    changes: (cwd, signal) => get('/api/changes', { cwd }, signal),
    async traffic(filter, onEntries, signal) {
      await readLines(await open('/api/traffic', filter, signal), onEntries);
    },
  };
}
