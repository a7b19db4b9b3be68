import type { Direction } from '@parley/session/traces';

/** What is known of a wire of a gateway. */
export interface WireFacts {
  readonly agent: string;
  readonly connection: string;
  readonly side: 'client' | 'agent';
  /** The version of the protocol that is spoken, once that is known. */
  protocol: number | undefined;
  /** On the wire of an agent: what our sessions are called there, and here. */
  readonly sessions: Map<string, string> | undefined;
}

/** Takes what passes on one wire. Must not throw. */
export interface TrafficWire {
  pass(direction: Direction, message: unknown): void;
  /** Something that is no message, or that the agent wrote to stderr. */
  passAside(kind: 'noise' | 'stderr', direction: Direction, text: string): void;
}

/** A session behind a name that an agent has given it. */
export interface NamedSession {
  readonly id: string;
  readonly principal: string;
}

/** The session that a message names, as cheaply as that can be known. */
export function namedSession(message: unknown): string | undefined {
  const { params, result } = message as Shape;
  const sessionId = params?.sessionId ?? result?.sessionId;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/** The version that an answer to `initialize` settles. */
export function settledVersion(message: unknown): number | undefined {
  const version = (message as Shape).result?.protocolVersion;
  return typeof version === 'number' ? version : undefined;
}

interface Shape {
  readonly params?: { readonly sessionId?: unknown } | null;
  readonly result?: { readonly sessionId?: unknown; readonly protocolVersion?: unknown } | null;
}
