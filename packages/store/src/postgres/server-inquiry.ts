import pg from 'pg';
import { CONNECT_MS, connectOptions } from './connect-options.ts';
import { isBroken } from './postgres-fault.ts';

/** The process of the server behind a connection. Its number may be used again, so its start belongs to its name. */
export interface ServerProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** An inquiry must be over long before a call has waited for too long. */
const INQUIRY_MS = 2500;

const OURS = `FROM pg_stat_activity
  WHERE (pid, backend_start::text) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND`;

/**
 * The first statement of each connection that lasts. An acknowledged event must be on the disk of the server, also where the database's
 * default is to acknowledge earlier; a default that waits for even more stays. The server finds a lost client after 40 s: by default it
 * keeps the process, and its place among the connections, for two hours.
 */
const PREPARE = `
  SELECT pid, backend_start::text AS started_at, set_config(
    'synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false
  ), set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '4', false) FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

export async function prepareConnection(client: pg.ClientBase): Promise<ServerProcess> {
  const { rows } = await client.query(withDeadline({ text: PREPARE }, CONNECT_MS));
  const [row] = rows as readonly { readonly pid: number; readonly started_at: string }[];
  return { pid: row?.pid ?? 0, startedAt: row?.started_at ?? '' };
}

/**
 * A new connection that asks the server what became of others. `refused` by a server that is there but takes no more connections;
 * undefined when nobody answers.
 */
export async function openInquiry(url: string): Promise<pg.Client | 'refused' | undefined> {
  const client = new pg.Client({
    ...connectOptions(url),
    connectionTimeoutMillis: INQUIRY_MS,
    query_timeout: INQUIRY_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    return isSaidByServer(error) ? 'refused' : undefined;
  }
}

/** The numbers of those processes that work. One without work waits for its client to send or to take something. */
export async function findWorking(
  inquiry: pg.Client,
  processes: readonly ServerProcess[],
): Promise<ReadonlySet<number>> {
  const text = `SELECT pid ${OURS} wait_event_type IS DISTINCT FROM 'Client'`;
  const { rows } = await inquiry.query(text, toColumns(processes));
  return new Set((rows as readonly { readonly pid: number }[]).map(({ pid }) => pid));
}

/** Ends processes that wait for a client that has given them up: each would keep one of the server's connections for hours. */
export async function endWaiting(inquiry: pg.Client, processes: readonly ServerProcess[]): Promise<void> {
  const text = `SELECT pg_terminate_backend(pid) ${OURS} wait_event_type = 'Client'`;
  await inquiry.query(text, toColumns(processes));
}

function toColumns(processes: readonly ServerProcess[]): unknown[] {
  return [processes.map(({ pid }) => pid), processes.map(({ startedAt }) => startedAt)];
}

function isSaidByServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (!isBroken(error) || error.code === '53300');
}

/** The driver takes a deadline for a single statement, although its types do not say so. */
export function withDeadline(query: pg.QueryConfig, deadlineMs: number): pg.QueryConfig {
  return { ...query, query_timeout: deadlineMs } as pg.QueryConfig;
}
