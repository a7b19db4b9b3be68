import type { Fetch } from '../http/http-answer.ts';
import { OFFLINE_MODEL_ID, offlineOffer } from '../offline/offer.ts';
import type { Endpoint } from './endpoint.ts';
import { type Environment, environmentModels } from './environment-models.ts';
import type { ModelOffer } from './offer.ts';

export interface Discovery {
  /** Whether a server that the environment names has still to say what it holds, or a wanted model still to be found. */
  readonly isOpen: boolean;
  /** Everything that can be chosen; the offline model is always the last. */
  readonly offers: readonly ModelOffer[];
  /** What to begin with: `PARLEY_MODEL`, else the first model that a key gives access to, else offline; never a local server by itself. */
  readonly preferred: ModelOffer;
  /** What a person should know about the choice. */
  readonly notices: readonly string[];
}

/** What can be said before any network answers; enough to start with. */
export function discoverAtOnce(env: Environment, fetch?: Fetch): Discovery {
  const { offers, unlisted } = environmentModels(env, fetch);
  const discovery = describeDiscovery(env, offers);
  const isMissing = Boolean(env.PARLEY_MODEL) && findOffer(discovery.offers, env.PARLEY_MODEL ?? '') === undefined;
  return { ...discovery, isOpen: unlisted.length > 0 || isMissing };
}

/** What to make of the models that were found; `silent` are the servers that did not name theirs. */
export function describeDiscovery(
  env: Environment,
  offers: readonly ModelOffer[],
  silent: readonly Endpoint[] = [],
): Discovery {
  const all = [...offers, offlineOffer];
  const wanted = env.PARLEY_MODEL;
  const named = wanted ? findOffer(all, wanted) : undefined;
  const byKey = wanted ? undefined : all.find(({ origin }) => origin === 'environment');
  const preferred = named ?? byKey ?? offlineOffer;
  const local = [...new Set(offers.filter(({ origin }) => origin === 'local').map(({ provider }) => provider))];
  return {
    isOpen: false,
    offers: all,
    preferred,
    notices: [
      ...silent.map(({ label }) => {
        const instead = preferred.id === OFFLINE_MODEL_ID ? ' Using the offline model.' : '';
        return `${label} did not say which models it has; check the address and the key, or name a model in PARLEY_MODEL.${instead}`;
      }),
      ...(wanted && !named
        ? [`PARLEY_MODEL is "${wanted}", but no such model is within reach; using the offline model.`]
        : []),
      ...(local.length > 0 && preferred.id === OFFLINE_MODEL_ID
        ? [`Found ${local.join(', ')} on this machine; choose one of its models to use it.`]
        : []),
    ],
  };
}

/** Finds an offer by its id, or by the bare name of a model. */
export function findOffer(offers: readonly ModelOffer[], wanted: string): ModelOffer | undefined {
  return offers.find(({ id }) => id === wanted) ?? offers.find(({ id }) => id.slice(id.indexOf('/') + 1) === wanted);
}
