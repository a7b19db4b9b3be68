import type { Transport } from '@parley/jsonrpc';
import { afterEach } from 'vitest';

/** Two ends of one wire; `near` is the transport under test. */
export interface TransportPair {
  readonly near: Transport;
  readonly far: Transport;
  /** On a wire of bytes: writes to it as the far side would. */
  readonly writeRaw?: (bytes: Uint8Array) => void;
  /** Frees what the wire stands on. The transports are closed before. */
  readonly dispose?: () => void | Promise<void>;
}

export interface PairLimits {
  /** Of `near`. */
  readonly maxMessageBytes?: number;
}

export type OpenPair = (limits?: PairLimits) => TransportPair | Promise<TransportPair>;

/** Opens pairs that are closed when the test is over. Call it inside `describe`. */
export function createOpener(openPair: OpenPair): (limits?: PairLimits) => Promise<TransportPair> {
  const opened: TransportPair[] = [];
  afterEach(async () => {
    for (const { near, far, dispose } of opened.splice(0)) {
      await Promise.all([near.close(), far.close()]);
      await dispose?.();
    }
  });
  return async (limits) => {
    const pair = await openPair(limits);
    opened.push(pair);
    return pair;
  };
}
