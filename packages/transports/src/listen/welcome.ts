import type { SuccessResponse } from '@parley/jsonrpc';

/** The answer to `initialize` with the id of the connection, equal to that in the header (RFD, streamable HTTP). */
export function withConnectionId(response: SuccessResponse, connectionId: string): SuccessResponse {
  const { result } = response;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return response;
  return { ...response, result: { ...result, connectionId } };
}
