import { matchName, type NameMatch } from '@parley/jsonrpc/internal';
import type { ModelOffer } from './offer.ts';

/** Finds the model that a person means, by its id, its bare name, its name for people or a part of one of them. */
export function findOffer(offers: readonly ModelOffer[], wanted: string): NameMatch<ModelOffer> {
  return matchName(offers, wanted, ({ id, name }) => [id, name]);
}

/** The one that is meant; undefined where there is none, or more than one. */
export function onlyOffer(offers: readonly ModelOffer[], wanted: string): ModelOffer | undefined {
  const match = findOffer(offers, wanted);
  return match.kind === 'one' ? match.item : undefined;
}
