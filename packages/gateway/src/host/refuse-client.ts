import { TurnError } from '@parley/agent';
import { type CloseReason, createConnection, RpcError, type Transport } from '@parley/jsonrpc';

/** How long a client that was refused may stay. */
const LINGER_MS = 1000;

/** Answers a client whose agent could not be started: it hears why, and its connection ends. */
export async function refuseClient(transport: Transport, error: unknown): Promise<CloseReason> {
  const connection = createConnection(transport);
  const refusal =
    error instanceof RpcError
      ? error
      : RpcError.internalError(
          error instanceof TurnError ? error.message : 'The agent could not be started; the log of its host says why.',
          error instanceof TurnError ? error.data : undefined,
        );
  connection.onAnyRequest(() => {
    setTimeout(() => void connection.close(), LINGER_MS);
    throw refusal;
  });
  return connection.closed;
}
