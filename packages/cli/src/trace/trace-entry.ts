import { isRecord } from '../config/check-config.ts';

/** One line of a trace. `out` is from the client to the agent, `in` from the agent to the client. */
export type TraceEntry =
  | {
      readonly kind: 'message';
      readonly timeMs: number;
      readonly direction: 'in' | 'out';
      readonly message: TracedMessage;
    }
  /** Something on the wire that is no message. */
  | { readonly kind: 'noise'; readonly timeMs: number; readonly direction: 'in' | 'out'; readonly text: string }
  /** Something the agent wrote to stderr. */
  | { readonly kind: 'stderr'; readonly timeMs: number; readonly text: string };

export type MessageEntry = Extract<TraceEntry, { kind: 'message' }>;

/** A JSON-RPC message as it was recorded; nothing about it is certain. */
export type TracedMessage = Readonly<Record<string, unknown>>;

/** An entry as one line of NDJSON: for messages, the format of every `--trace`. */
export function formatEntry(entry: TraceEntry): string {
  const time = new Date(entry.timeMs).toISOString();
  const rest =
    entry.kind === 'message'
      ? { direction: entry.direction, message: entry.message }
      : entry.kind === 'noise'
        ? { direction: entry.direction, noise: entry.text }
        : { stderr: entry.text };
  return `${JSON.stringify({ time, ...rest })}\n`;
}

/** Reads a line; undefined for one that is no part of a trace. */
export function parseEntry(line: string): TraceEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const timeMs = typeof value.time === 'number' ? value.time : Date.parse(String(value.time));
  if (Number.isNaN(timeMs)) return undefined;
  const { direction, message, noise, stderr } = value;
  if (typeof stderr === 'string') return { kind: 'stderr', timeMs, text: stderr };
  if (direction !== 'in' && direction !== 'out') return undefined;
  if (typeof noise === 'string') return { kind: 'noise', timeMs, direction, text: noise };
  return isRecord(message) ? { kind: 'message', timeMs, direction, message } : undefined;
}
