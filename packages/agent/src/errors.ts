import { ParleyError, RpcError } from '@parley/jsonrpc';

/** Every code an error of this package can have. */
export type AgentErrorCode =
  | 'agent_closed'
  | 'agent_in_use'
  | 'backlog_full'
  | 'capability_missing'
  | 'client_refused'
  | 'invalid_answer'
  | 'invalid_definition'
  | 'invalid_update'
  | 'log_failed'
  | 'mcp_error'
  | 'no_client'
  | 'prompt_abandoned'
  | 'secret_in_form'
  | 'terminal_cancelled'
  | 'terminal_released'
  | 'tool_call_cancelled'
  | 'turn_cancelled'
  | 'turn_ended'
  | 'turn_failed'
  | 'turn_interrupted'
  | 'unknown_setting';

/** An agent was put together wrongly, or changed after it began to serve. */
export class AgentDefinitionError extends ParleyError {
  override readonly name = 'AgentDefinitionError';

  constructor(message: string, code: AgentErrorCode = 'invalid_definition') {
    super(code, message);
  }
}

/** The client did not offer what was asked of it; nothing was sent. */
export class CapabilityError extends ParleyError {
  override readonly name = 'CapabilityError';
  /** The capability that is missing, as the protocol spells it: `fs.readTextFile`. */
  readonly capability: string;

  constructor(what: string, capability: string) {
    super('capability_missing', `The client does not offer ${what} (${capability}); ask turn.client.offers first.`);
    this.capability = capability;
  }
}

/**
 * Fails a turn with a message that is meant for the person at the client. Any other exception fails it too, but its
 * text stays here.
 */
export class TurnError extends ParleyError {
  override readonly name = 'TurnError';
  /** The JSON-RPC code of the answer. Default: -32603. */
  readonly rpcCode: number | undefined;
  /** Sent along with the message; must be a JSON value. */
  readonly data: unknown;

  constructor(
    message: string,
    options: { readonly rpcCode?: number; readonly data?: unknown; readonly cause?: unknown } = {},
  ) {
    super('turn_failed', message, options.cause === undefined ? undefined : { cause: options.cause });
    this.rpcCode = options.rpcCode;
    this.data = options.data;
  }
}

/** The reason of `turn.signal` when the turn is over: cancelled by the client, or simply ended. Also of a call or a terminal by itself. */
export class TurnAbortError extends ParleyError {
  /** The name that Web APIs give to an abort, so that common code recognises it. */
  override readonly name = 'AbortError';

  constructor(code: 'turn_cancelled' | 'turn_ended' | 'tool_call_cancelled' | 'terminal_cancelled', message: string) {
    super(code, message);
  }
}

/** The process ends before the turn does, or the client that asked for the turn left before it began. */
export class TurnInterruptedError extends ParleyError {
  override readonly name = 'TurnInterruptedError';

  constructor(message: string, code: 'turn_interrupted' | 'prompt_abandoned' = 'turn_interrupted') {
    super(code, message);
  }
}

/** The session log could not be written, so that nothing of it may be shown. */
export class LogFailedError extends ParleyError {
  override readonly name = 'LogFailedError';

  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super('log_failed', `The session log could not be written: ${why}`, { cause });
  }
}

/**
 * The client answered a request with an error. It is told apart from an `RpcError` of the agent's own, so that what the
 * client said about a file is never taken for an answer to the prompt.
 */
export class ClientRefusedError extends ParleyError {
  override readonly name = 'ClientRefusedError';
  readonly method: string;
  /** The code of the client's answer: -32002 for a file that does not exist. */
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(method: string, cause: RpcError) {
    super('client_refused', `The client refused ${method}: ${cause.message}`, { cause });
    this.method = method;
    this.rpcCode = cause.code;
    this.data = cause.data;
  }
}

/** The client's answer does not have the shape that the protocol demands. */
export class InvalidAnswerError extends ParleyError {
  override readonly name = 'InvalidAnswerError';

  constructor(method: string, cause: Error) {
    super('invalid_answer', `The client's answer to ${method} cannot be used: ${cause.message}`, { cause });
  }
}

/** An MCP server that the client provides answered a request with an error of its own. */
export class McpError extends ParleyError {
  override readonly name = 'McpError';
  readonly mcpCode: number | undefined;
  /** The server's own words. */
  readonly told: string;
  readonly data: unknown;

  constructor(method: string, error: { code?: unknown; message?: unknown; data?: unknown } | undefined) {
    const message = typeof error?.message === 'string' ? error.message : 'no reason was given';
    super('mcp_error', `The MCP server answered ${method} with an error: ${message}`);
    this.told = message;
    this.mcpCode = typeof error?.code === 'number' ? error.code : undefined;
    this.data = error?.data;
  }
}

/**
 * Parts of an agent are loaded when they are first needed. When its program was updated or removed meanwhile, they are
 * not there any more, and nothing but a restart helps; undefined when that is not what went wrong.
 */
export function programChanged(thrown: unknown): RpcError | undefined {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const message = 'The program of this agent was updated or removed while it ran; restart the agent.';
  const refusal = RpcError.internalError(message, { reason: 'program_changed' });
  // Stays here, for the log: which part it was.
  refusal.cause = thrown;
  return refusal;
}
