import type { Diagnostic } from './diagnostics.ts';
import type { ConnectionLimits } from './limits.ts';

export interface ConnectionOptions {
  readonly limits?: Partial<ConnectionLimits>;
  /** Sends the text of a handler's unexpected exception to the peer. Default: the peer reads only "Internal error". */
  readonly exposeErrors?: boolean;
  /**
   * Refuses request ids that are null or fractional, as ACP v2 demands. A function is asked for each request, where it is
   * known only later. Default: any JSON-RPC id.
   */
  readonly strictIds?: boolean | (() => boolean);
  /** Hears of everything odd that the connection lived through. Throttled; must not throw. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Reads from the params of a message which conversation it belongs to, for diagnostics. */
  readonly sessionIdOf?: (params: unknown) => string | undefined;
}
