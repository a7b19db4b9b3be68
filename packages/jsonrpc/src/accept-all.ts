import type { CloseReason, Transport } from './transport.ts';

/** Where connections come in, one after the other, until it is closed. */
export interface AcceptingListener<Accepted extends { readonly transport: Transport }> {
  readonly connections: AsyncIterable<Accepted>;
  close(): Promise<void>;
}

/** Serves every connection that a listener accepts, until the listener is closed, or aborted, and each connection is over. */
export async function acceptAll<Accepted extends { readonly transport: Transport }>(
  listener: AcceptingListener<Accepted>,
  serve: (accepted: Accepted) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<CloseReason> {
  const onAbort = (): void => void listener.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const served = new Set<Promise<unknown>>();
  for await (const accepted of listener.connections) {
    const serving = serve(accepted)
      // One client must not end the others; its own connection is over.
      .catch(() => accepted.transport.close())
      .finally(() => served.delete(serving));
    served.add(serving);
  }
  await Promise.all(served);
  signal?.removeEventListener('abort', onAbort);
  return { kind: 'closed' };
}
