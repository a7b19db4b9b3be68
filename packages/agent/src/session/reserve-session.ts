import { reserveLog, type SharedLog } from '@parley/session/log';

/** Reserves a session for this process; undefined while another process works in it. */
export async function reserveSession(shared: SharedLog | undefined): Promise<AsyncDisposable | undefined> {
  if (!shared) return { async [Symbol.asyncDispose]() {} };
  // Holding a log waits some seconds for an owner that runs no turn, such as an open chat.
  return (await shared.catchUp()) ? undefined : reserveLog(shared);
}
