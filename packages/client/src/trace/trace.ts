import type { Connection } from '@parley/jsonrpc';
import { isRecord } from '@parley/jsonrpc/internal';
import type { MessageEntry, RedactOptions, TraceEntry } from '@parley/session/traces';
import { withoutSecrets } from '@parley/session/traces/redact';
import type { Clock } from '../clock.ts';
import type { AgentWire } from '../source/agent-source.ts';

export interface TraceOptions extends RedactOptions {
  /** Takes each message; must not throw. `traceToFile` of `@parley/client/node` writes them to a file. */
  readonly write: (entry: MessageEntry) => void;
  /** Takes what an agent writes to stderr, and what it puts on the wire that is no message; must not throw. */
  readonly writeAside?: (entry: Exclude<TraceEntry, MessageEntry>) => void;
  /** False keeps secrets in. Default: true. */
  readonly isRedacted?: boolean;
}

/** A wire that is traced: messages by its connection, what came beside them by where it leads. */
export interface TracedWire {
  readonly connection: Connection;
  readonly wire: AgentWire;
  readonly clock: Clock;
}

/** Records every message of a connection, secrets redacted. Returns a function that ends it. */
export function traceConnection({ connection, wire, clock }: TracedWire, options: TraceOptions): () => void {
  const { write, writeAside, isRedacted = true } = options;
  const told = <Entry extends TraceEntry>(entry: Entry): Entry =>
    isRedacted ? (withoutSecrets(entry, options) as Entry) : entry;
  const endTap = connection.tap((direction, message) => {
    const timeMs = clock.now();
    if (isRecord(message)) write(told({ kind: 'message', timeMs, direction, message }));
    else writeAside?.(told({ kind: 'noise', timeMs, direction, text: String(JSON.stringify(message)) }));
  });
  const endAside =
    writeAside &&
    wire.watch?.((kind, text) => {
      const timeMs = clock.now();
      writeAside(told(kind === 'stderr' ? { kind, timeMs, text } : { kind, timeMs, direction: 'in', text }));
    });
  return () => {
    endTap();
    endAside?.();
  };
}
