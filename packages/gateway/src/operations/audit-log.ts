import type { GatewayEvent } from '../events/gateway-event.ts';
import { AppendedFile } from './appended-file.ts';
import { recordOf } from './event-record.ts';

export interface AuditLogOptions {
  /** The file. It is made with its folder, for its owner alone. */
  readonly path: string;
  /** At this size the file is put away as `<path>.1`, and so on. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** How many files that were put away are kept. Default: 10. */
  readonly keptFiles?: number;
  /** Known secrets, replaced wherever they stand. */
  readonly secrets?: readonly string[];
  /** Hears that the file cannot be written: once, until it can again. */
  readonly onFault?: (event: GatewayEvent) => void;
}

/** Who did what, one JSON object a line. */
export interface AuditLog extends AsyncDisposable {
  readonly onEvent: (event: GatewayEvent) => void;
  /** Records that could not be written. */
  readonly dropped: number;
  /** Resolves when everything is written that was told before. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Records who did what. A disk that is full costs records, which the file then tells of, and never a client. */
export function auditLog({ path, maxBytes, keptFiles, secrets = [], onFault }: AuditLogOptions): AuditLog {
  const file = new AppendedFile({
    path,
    ...(maxBytes !== undefined && { maxBytes }),
    ...(keptFiles !== undefined && { keptFiles }),
    onFault: (error) => onFault?.({ kind: 'audit_failed', error, at: Date.now() }),
    gapLine: (lost) => JSON.stringify({ time: new Date().toISOString(), kind: 'records_lost', lost }),
  });
  return {
    onEvent: (event) => {
      if (isAudited(event)) file.append(JSON.stringify(recordOf(event, { secrets })));
    },
    get dropped() {
      return file.dropped;
    },
    flush: () => file.flush(),
    close: () => file.close(),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const AUDITED: ReadonlySet<GatewayEvent['kind']> = new Set<GatewayEvent['kind']>([
  'client_connected',
  'client_left',
  'client_refused',
  'prompted',
  'session_opened',
  'session_closed',
  'question_answered',
  'question_withdrawn',
  'settings_changed',
  'capped',
  'state_changed',
]);

/** Requests that are deeds by themselves, and leave no other event. */
const AUDITED_METHODS: ReadonlySet<string> = new Set([
  'authenticate',
  'logout',
  'auth/login',
  'auth/logout',
  'session/delete',
  'session/cancel',
]);

function isAudited(event: GatewayEvent): boolean {
  if (event.kind !== 'request') return AUDITED.has(event.kind);
  return event.outcome === 'refused' || AUDITED_METHODS.has(event.method);
}
