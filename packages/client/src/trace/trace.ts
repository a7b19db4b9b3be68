import type { Connection } from '@parley/jsonrpc';
import type { Clock } from '../clock.ts';
import { type RedactOptions, redact } from './redact.ts';

/** One message that crossed the wire. */
export interface TraceRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `out`: from us to the agent. */
  readonly direction: 'in' | 'out';
  /** Without secrets, unless that was switched off. */
  readonly message: unknown;
}

export interface TraceOptions extends RedactOptions {
  /** Takes each record; must not throw. `traceToFile` of `@parley/client/node` writes them to a file. */
  readonly write: (record: TraceRecord) => void;
  /** False keeps secrets in. Default: true. */
  readonly isRedacted?: boolean;
}

/** Records every message of a connection, secrets redacted. Returns a function that ends it. */
export function traceConnection(connection: Connection, options: TraceOptions, clock: Clock): () => void {
  const { write, isRedacted = true } = options;
  return connection.tap((direction, message) =>
    write({ time: clock.now(), direction, message: isRedacted ? redact(message, options) : message }),
  );
}

/** A record as one line of NDJSON. */
export function formatTraceRecord({ time, direction, message }: TraceRecord): string {
  return `${JSON.stringify({ time: new Date(time).toISOString(), direction, message })}\n`;
}
