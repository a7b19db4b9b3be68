const REFUSED = 'ECONNREFUSED';

/** What a code of the system means for whoever has set the address of a model. */
const WORDS: Readonly<Record<string, string>> = {
  [REFUSED]: 'nothing listens there; check the address, and that the server runs',
  ECONNRESET: 'it was cut',
  EPIPE: 'it was cut',
  UND_ERR_SOCKET: 'it was cut',
  ENOTFOUND: 'the name has no address; check it, and the network',
  EAI_AGAIN: 'the name could not be looked up; check the network',
  ENETUNREACH: 'there is no way to it; check the network',
  EHOSTUNREACH: 'there is no way to it; check the network',
  ETIMEDOUT: 'there was no answer in time; check the network',
  UND_ERR_CONNECT_TIMEOUT: 'there was no answer in time; check the network',
};

/** Why a connection failed, in words with the code. `fetch` hides it in the cause of a bare "fetch failed". */
export function networkReason(error: unknown): string {
  const cause = causeOf(error);
  const code = codeOf(cause);
  const words = code === undefined ? undefined : WORDS[code];
  if (words !== undefined) return `${words} (${code})`;
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}

/** Whether the machine answered that nothing listens at that port. */
export function isConnectionRefused(error: unknown): boolean {
  return codeOf(causeOf(error)) === REFUSED;
}

function causeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof AggregateError) || cause.errors.length === 0) return cause;
  // Several addresses of one name that all failed; some machines have only one of them, and that one is meant.
  return cause.errors.find((each) => codeOf(each) === REFUSED) ?? cause.errors[0];
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
