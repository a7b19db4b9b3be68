import type { Transport } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import type { Agent } from '../src/index.ts';
import { createRawClient, type RawClient } from './raw-client.ts';

/** Messages that the wire of a slow client holds before the agent is asked to wait. */
export const HIGH_WATER = 8;

export interface SlowClient extends RawClient {
  /** Stops reading, as a client does that hangs; the connection stays open. */
  stopReading(): void;
  readAgain(): void;
  /** Messages that the agent has sent to it, read or not. */
  sent(): number;
}

/** A client on a wire that holds few messages. */
export async function connectSlowClient(served: Agent, meta?: Record<string, unknown>): Promise<SlowClient> {
  const [near, far] = createMemoryPair({ highWaterMessages: HIGH_WATER });
  let sent = 0;
  const counted: Transport = {
    send: (message) => {
      sent += 1;
      return far.send(message);
    },
    onMessage: (listener) => far.onMessage(listener),
    onFault: (listener) => far.onFault(listener),
    onClose: (listener) => far.onClose(listener),
    pause: () => far.pause(),
    resume: () => far.resume(),
    close: () => far.close(),
  };
  const client = createRawClient(near, served.serve(counted));
  await client.initialize({}, meta);
  return Object.assign(client, {
    stopReading: () => near.pause(),
    readAgain: () => near.resume(),
    sent: () => sent,
  });
}

/** The plans in the order in which the client heard of them. */
export function plansOf(client: RawClient): string[] {
  return client
    .updates()
    .flatMap((update) => (update.sessionUpdate === 'plan' ? update.entries.map(({ content }) => content) : []));
}

/** The numbers from 0, as texts. */
export function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index}`);
}
