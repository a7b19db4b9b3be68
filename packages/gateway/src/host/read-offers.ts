import { type ClientOffers, clientOffersFromV1 } from '@parley/session';

/** What a client offers of which nothing is known. */
export const NO_OFFERS: ClientOffers = clientOffersFromV1({}, false);

/** What a client offers, by its first message; nothing where that is no `initialize`. */
export function readOffers(first: unknown): ClientOffers {
  const { method, params } = (first ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize' || typeof params !== 'object' || params === null) return NO_OFFERS;
  try {
    return clientOffersFromV1(params, false);
  } catch {
    // Whoever serves the client tells it what is wrong.
    return NO_OFFERS;
  }
}
