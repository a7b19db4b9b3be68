import type { DialOptions, NetworkAgent } from './dial-options.ts';
import { FIRST_PAUSE_MS, MAX_PAUSE_MS } from './http/backoff.ts';
import { NetworkError } from './network-error.ts';

/** A laptop that sleeps, or a server that is being replaced, is back within that. */
const DEFAULT_GIVE_UP_AFTER_MS = 600_000;

/** How an agent over the network is dialled again. */
export function createRedial({ giveUpAfterMs = DEFAULT_GIVE_UP_AFTER_MS }: DialOptions): NetworkAgent['redial'] {
  return { firstPauseMs: FIRST_PAUSE_MS, maxPauseMs: MAX_PAUSE_MS, giveUpAfterMs, isFinal };
}

/** Whoever does not know us or is not the one we look for will not be another soon; a server that is not there may come. */
function isFinal(error: unknown): boolean {
  const failure = findNetworkError(error);
  if (!failure) return false;
  const { kind, status } = failure;
  if (kind === 'refused') return status === 401 || status === 403 || (status !== undefined && status < 400);
  return kind === 'tls' || kind === 'not_acp';
}

/** Whoever explains an error keeps the origin as its cause. */
function findNetworkError(error: unknown): NetworkError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth += 1) {
    if (each instanceof NetworkError) return each;
  }
  return undefined;
}
