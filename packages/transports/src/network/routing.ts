/** The session that a message names in its params; undefined for one that belongs to the connection as a whole. */
export function sessionInParams(message: object): string | undefined {
  return 'params' in message ? sessionIn(message.params) : undefined;
}

/** The session that a response names in its result: `session/new` and its like have made it. */
export function sessionInResult(message: object): string | undefined {
  return 'result' in message ? sessionIn(message.result) : undefined;
}

function sessionIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('sessionId' in value)) return undefined;
  return typeof value.sessionId === 'string' ? value.sessionId : undefined;
}

/** A key for a JSON-RPC id, under which 1 and "1" differ. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? 'undefined';
}
