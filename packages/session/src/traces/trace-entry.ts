import { isRecord } from '@parley/jsonrpc/internal';

/** One line of a trace. `out` is from the client to the agent, `in` from the agent to the client. */
export type TraceEntry = MessageEntry | NoiseEntry | StderrEntry;

export interface MessageEntry extends TracePlace {
  readonly kind: 'message';
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly direction: Direction;
  readonly message: TracedMessage;
}

/** Something on the wire that is no message. */
export interface NoiseEntry extends TracePlace {
  readonly kind: 'noise';
  readonly timeMs: number;
  readonly direction: Direction;
  readonly text: string;
}

/** Something the agent wrote to stderr. */
export interface StderrEntry extends TracePlace {
  readonly kind: 'stderr';
  readonly timeMs: number;
  readonly text: string;
}

export type Direction = 'in' | 'out';

/** A JSON-RPC message as it was recorded; nothing about it is certain. */
export type TracedMessage = Readonly<Record<string, unknown>>;

/** Where an entry was seen: whoever records several wires at once tells them apart. A trace of one wire has none of it. */
export interface TracePlace {
  readonly agent?: string;
  /** One wire. Ids of requests are its own. */
  readonly connection?: string;
  /** Whose wire it is, for something that stands between the two: its client's, or its agent's. */
  readonly side?: 'client' | 'agent';
  /** The session it belongs to, under the name that clients know. */
  readonly sessionId?: string;
  /** The version of the protocol that is spoken on the wire. */
  readonly protocol?: number;
}

/** An entry as one line of NDJSON: the format of every trace. */
export function formatEntry(entry: TraceEntry): string {
  const { agent, connection, side, sessionId, protocol } = entry;
  const rest =
    entry.kind === 'message'
      ? { direction: entry.direction, message: entry.message }
      : entry.kind === 'noise'
        ? { direction: entry.direction, noise: entry.text }
        : { stderr: entry.text };
  const time = new Date(entry.timeMs).toISOString();
  return `${JSON.stringify({ time, agent, connection, side, session: sessionId, protocol, ...rest })}\n`;
}

/** Reads a line; undefined for one that is no part of a trace. */
export function parseEntry(line: string): TraceEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return readEntry(value);
}

/** An entry from a line that was parsed already. */
export function readEntry(value: unknown): TraceEntry | undefined {
  if (!isRecord(value)) return undefined;
  const timeMs = typeof value.time === 'number' ? value.time : Date.parse(String(value.time));
  // A time that no calendar has could not be written again.
  if (!(Math.abs(timeMs) <= MAX_TIME_MS)) return undefined;
  const place = readPlace(value);
  const { direction, message, noise, stderr } = value;
  if (typeof stderr === 'string') return { kind: 'stderr', timeMs, text: stderr, ...place };
  if (direction !== 'in' && direction !== 'out') return undefined;
  if (typeof noise === 'string') return { kind: 'noise', timeMs, direction, text: noise, ...place };
  return isRecord(message) ? { kind: 'message', timeMs, direction, message, ...place } : undefined;
}

/** The last moment that a `Date` can have, in both directions. */
const MAX_TIME_MS = 8.64e15;

function readPlace({ agent, connection, side, session, protocol }: TracedMessage): TracePlace {
  return {
    ...(typeof agent === 'string' && { agent }),
    ...(typeof connection === 'string' && { connection }),
    ...((side === 'client' || side === 'agent') && { side }),
    ...(typeof session === 'string' && { sessionId: session }),
    ...(typeof protocol === 'number' && { protocol }),
  };
}
