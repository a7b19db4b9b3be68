import type { ErrorObject, Message, RequestId } from '@parley/jsonrpc';

/** What one message becomes: nothing, one message, or several, on either side. */
export interface Outcome {
  /** Canonical messages for our side. A value that is no message at all passes through as it came. */
  readonly toUs: readonly unknown[];
  /** Foreign messages for the peer. */
  readonly toPeer: readonly Message[];
  /** The outcome is not known yet: nothing is read from the peer until it is. Must not reject. */
  readonly wait?: Promise<Outcome>;
  /** What happens after a while, unless it has become needless by then. */
  readonly later?: Later;
  /** The wire ends after this. */
  readonly close?: boolean;
}

export interface Later {
  readonly afterMs: number;
  readonly run: () => Outcome;
}

const NONE: readonly never[] = [];

export const nothing: Outcome = { toUs: NONE, toPeer: NONE };

export function toUs(...messages: readonly unknown[]): Outcome {
  return { toUs: messages, toPeer: NONE };
}

export function toPeer(...messages: readonly Message[]): Outcome {
  return { toUs: NONE, toPeer: messages };
}

export function answer(id: RequestId, result: unknown): Message {
  return { jsonrpc: '2.0', id, result };
}

export function refusal(id: RequestId, error: ErrorObject): Message {
  return { jsonrpc: '2.0', id, error };
}
