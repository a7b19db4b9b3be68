import type { SharedLog } from './shared-log.ts';

/** Makes this process the owner of a log until the result is disposed of; undefined while another process owns it. */
export async function reserveLog(shared: SharedLog): Promise<AsyncDisposable | undefined> {
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
