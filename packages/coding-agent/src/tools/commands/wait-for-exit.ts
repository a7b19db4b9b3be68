import type { CommandExit } from '../../operations/operations.ts';

/** How it ended, or undefined when it runs on after this time. Throws when the call is cancelled. */
export async function exitWithin(
  exited: Promise<CommandExit>,
  limitMs: number,
  signal: AbortSignal,
): Promise<CommandExit | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    return await Promise.race([
      exited,
      new Promise<undefined>((resolve, reject) => {
        timer = setTimeout(resolve, limitMs, undefined);
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
