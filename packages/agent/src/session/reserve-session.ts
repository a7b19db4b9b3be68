import type { SharedLog } from '@parley/session/log';

/** Reserves a session for this process; undefined while another process works in it. */
export async function reserveSession(shared: SharedLog | undefined): Promise<AsyncDisposable | undefined> {
  if (!shared) return { async [Symbol.asyncDispose]() {} };
  // `hold` waits some seconds for an owner that runs no turn, such as an open chat.
  if (await shared.catchUp()) return undefined;
  try {
    await shared.hold();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'session_owned') return undefined;
    throw error;
  }
  let released: Promise<void> | undefined;
  return {
    [Symbol.asyncDispose]() {
      released ??= shared.release();
      return released;
    },
  };
}
