import type { DiagnosticKind as ConnectionDiagnosticKind, DiagnosticFields } from '@parley/jsonrpc';

/** Something a client's author should know of. Never holds what the person or the agent said. */
export interface ClientDiagnostic extends DiagnosticFields {
  readonly kind: ClientDiagnosticKind;
  /** What happened, for people. */
  readonly message: string;
  /** How many reports of this kind were left out since the last one. */
  readonly suppressed: number;
}

export type ClientDiagnosticKind =
  | ConnectionDiagnosticKind
  /** A call that is safe to repeat failed and is made again. */
  | 'retrying'
  /** The agent refused a version of the protocol; an older one is tried. */
  | 'version_refused'
  /** An MCP server was left out because the agent cannot use it. */
  | 'mcp_server_refused'
  /** The agent no longer has a session; the message says what became of it. */
  | 'session_lost'
  /** The sandbox of the agent refused a host that it wanted to reach. */
  | 'network_refused';

/** Tells of something odd, each time that it happens. */
export type ReportDiagnostic = (diagnostic: Omit<ClientDiagnostic, 'suppressed'>) => void;
