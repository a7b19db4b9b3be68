import { type BackoffOptions, backoffMs } from '@parley/jsonrpc/internal';
import type { DialOptions, NetworkAgent } from './dial-options.ts';
import { NetworkError } from './network-error.ts';

/** The first pause before a dial is tried again; each further one may be twice as long. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/** A laptop that sleeps, or a server that is being replaced, is back within that. */
const DEFAULT_GIVE_UP_AFTER_MS = 600_000;

/** How an agent over the network is dialled again. */
export function createRedial({ giveUpAfterMs = DEFAULT_GIVE_UP_AFTER_MS }: DialOptions): NetworkAgent['redial'] {
  return { firstPauseMs: FIRST_PAUSE_MS, maxPauseMs: MAX_PAUSE_MS, giveUpAfterMs, isFinal };
}

const SPREAD: BackoffOptions = { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, spread: [0, 1] };

/** The pause before an attempt: none before the first, then anything up to a bound that doubles, so that many clients spread out. */
export function pauseBefore(attempt: number): number {
  return attempt === 0 ? 0 : backoffMs(attempt, SPREAD);
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
