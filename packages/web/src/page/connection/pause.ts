/** Calls back when the page is looked at or used again, or the machine is online again. Returns what ends it. */
export function onWake(listener: () => void): () => void {
  const whenVisible = (): void => {
    if (document.visibilityState === 'visible') listener();
  };
  addEventListener('online', listener);
  addEventListener('focus', listener);
  document.addEventListener('visibilitychange', whenVisible);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('focus', listener);
    document.removeEventListener('visibilitychange', whenVisible);
  };
}

/** Waits, but no longer than until the page wakes. */
export function pauseUntilUseful(pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stopWaking();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, pauseMs);
    const stopWaking = onWake(finish);
    signal.addEventListener('abort', finish);
  });
}
