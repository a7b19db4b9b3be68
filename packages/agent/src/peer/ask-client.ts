import { type Connection, type RequestOptions, RpcError, TransportClosedError } from '@parley/jsonrpc';
import { checkOutgoing, ValidationError } from '@parley/protocol';
import { ClientRefusedError, InvalidAnswerError } from '../errors.ts';

type Validator = Parameters<typeof checkOutgoing>[0];

export interface ParamsChecks {
  readonly params: Validator;
  /** Content types of the agent's own that it may show. */
  readonly customContent: ReadonlySet<string>;
  /** Whether they come from another agent, and are passed on as they came. */
  readonly isRelay: boolean;
}

/** Sends a request; what the client refuses is told apart from an error of the agent's own. */
export async function askClient(
  connection: Connection,
  method: string,
  params: unknown,
  options?: RequestOptions,
): Promise<unknown> {
  try {
    return await connection.request(method, params, options);
  } catch (error) {
    throw error instanceof RpcError ? new ClientRefusedError(method, error) : error;
  }
}

/** Refuses params that the version does not allow. */
export function requireParams(params: unknown, { params: validator, customContent, isRelay }: ParamsChecks): void {
  if (isRelay) return;
  const problem = checkOutgoing(validator, params, customContent);
  if (problem) throw new ValidationError(problem);
}

/** Reads the answer of a client. */
export function readAnswer<Result>(method: string, answer: unknown, parseResult: (answer: unknown) => Result): Result {
  try {
    return parseResult(answer);
  } catch (error) {
    throw error instanceof ValidationError ? new InvalidAnswerError(method, error) : error;
  }
}

/** Sends a notification, unless the wire has just ended: whoever waits for the connection hears of that. */
export function tellClient(connection: Connection, method: string, params: unknown): void | Promise<void> {
  try {
    return connection.notify(method, params);
  } catch (error) {
    if (!(error instanceof TransportClosedError)) throw error;
  }
}
