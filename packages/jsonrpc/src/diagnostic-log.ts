import type { DiagnosticFields } from './diagnostics.ts';

/** Any diagnostic of Parley: of a connection, a client or an agent. */
export interface LoggedDiagnostic extends DiagnosticFields {
  readonly kind: string;
  readonly message: string;
  readonly suppressed?: number;
}

export interface DiagnosticLogOptions {
  /** Takes one line, without its end. Must not throw. */
  readonly write: (line: string) => void;
  /** Kinds to leave out. Default: none. */
  readonly skip?: readonly string[];
  /** The time of a line. Default: the system's. */
  readonly now?: () => Date;
}

/**
 * A listener for `onDiagnostic` that writes one JSON object a line: time, kind, message, and the fields that are known.
 * Of an error only its name, code and message are written, since an error may hold what the peer sent.
 */
export function createDiagnosticLog(options: DiagnosticLogOptions): (diagnostic: LoggedDiagnostic) => void {
  const { write, skip = [], now = () => new Date() } = options;
  return ({ kind, message, direction, method, id, sessionId, error, suppressed }) => {
    if (skip.includes(kind)) return;
    const line = {
      time: now().toISOString(),
      kind,
      message,
      direction,
      method,
      id,
      sessionId,
      ...(error !== undefined && { error: describeError(error) }),
      ...(suppressed !== undefined && suppressed > 0 && { suppressed }),
    };
    write(JSON.stringify(line));
  };
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : typeof error };
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  const isPlain = typeof code === 'string' || typeof code === 'number';
  return isPlain ? { name, code, message } : { name, message };
}
