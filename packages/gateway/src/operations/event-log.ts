import { pino } from 'pino';
import type { GatewayEvent } from '../events/gateway-event.ts';
import { recordOf } from './event-record.ts';

export interface EventLogOptions {
  /** A file, or a descriptor. Default: 2, the error stream. */
  readonly destination?: string | number;
  /** What is less important is left out. Default: `info`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error';
  /** Known secrets, such as tokens, replaced wherever they stand. */
  readonly secrets?: readonly string[];
}

/** Writes events down, one JSON object a line. */
export interface EventLog {
  (event: GatewayEvent): void;
  /** Lines that were lost since the destination failed. */
  readonly dropped: number;
  /** Writes what waits, and lets go of the destination. */
  close(): Promise<void>;
}

/** How much may wait for a slow destination; more is dropped and counted. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A log of everything that happens in a gateway, for `onEvent`. A destination that fails costs lines, never a client. */
export function eventLog({ destination = 2, level = 'info', secrets = [] }: EventLogOptions = {}): EventLog {
  let dropped = 0;
  const stream = pino.destination({
    dest: destination,
    sync: false,
    append: true,
    mkdir: typeof destination === 'string',
    mode: 0o600,
    maxLength: MAX_WAITING_BYTES,
  });
  // Without a listener, a full disk would end the process.
  stream.on('error', () => {
    dropped += 1;
  });
  stream.on('drop', () => {
    dropped += 1;
  });
  const logger = pino(
    { level, base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
    stream,
  );
  const write = (event: GatewayEvent): void => {
    const eventLevel = levelOf(event);
    if (logger.isLevelEnabled(eventLevel)) logger[eventLevel](recordOf(event, { secrets }));
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      stream.once('close', resolve);
      stream.once('error', () => resolve());
      stream.end();
    });
  return Object.defineProperty(Object.assign(write, { close }), 'dropped', { get: () => dropped }) as EventLog;
}

function levelOf(event: GatewayEvent): 'debug' | 'info' | 'warn' | 'error' {
  switch (event.kind) {
    case 'agent_crashed':
    case 'audit_failed':
      return 'error';
    case 'client_refused':
    case 'capped':
    case 'diagnostic':
      return 'warn';
    case 'store_changed':
      return event.isWritable ? 'info' : 'error';
    case 'turn_ended':
      return event.error ? 'warn' : 'info';
    case 'request':
      return event.outcome === 'error' || event.outcome === 'refused' ? 'warn' : 'info';
    case 'prompted':
      return 'debug';
    default:
      return 'info';
  }
}
