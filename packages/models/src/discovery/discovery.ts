import type { Endpoint } from './endpoint.ts';
import { findOffer, onlyOffer } from './find-offer.ts';
import type { ModelOffer } from './offer.ts';
import { OFFLINE_MODEL_ID, offlineOffer } from './offline-offer.ts';
import { type ModelSources, sourceModels } from './source-models.ts';
import { wordMissingServer, wordWhenSilent } from './start-words.ts';

export interface Discovery {
  /** Whether a server that was named has still to say what it holds, or a wanted model still to be found. */
  readonly isOpen: boolean;
  /** Everything that can be chosen; the offline model is always the last. */
  readonly offers: readonly ModelOffer[];
  /** What to begin with: the wanted model, else the first that a key gives access to, else offline; never a local server by itself. */
  readonly preferred: ModelOffer;
  /** What a person should know about the choice. */
  readonly notices: readonly string[];
  /** Who was asked for a list, and what came of it. */
  readonly providers: readonly DiscoveredProvider[];
}

/** A provider or a server within reach. */
export interface DiscoveredProvider {
  readonly provider: string;
  readonly label: string;
  readonly baseUrl: string;
  /** When it has named its models, as a time in milliseconds; undefined when it never has. */
  readonly listedAt?: number | undefined;
  /** It was asked just now, and gave no list. */
  readonly isSilent: boolean;
  /** Models in its list, by name. */
  readonly listed: readonly string[];
}

/** What can be said before any network answers; enough to start with. */
export function discoverAtOnce(sources: ModelSources): Discovery {
  const { offers, unlisted, problems } = sourceModels(sources);
  const discovery = describeDiscovery(sources, offers, { problems });
  const wanted = [sources.model, sources.env.PARLEY_MODEL].flatMap((each) => each || []);
  const isMissing = wanted.some((each) => findOffer(discovery.offers, each).kind === 'none');
  return { ...discovery, isOpen: unlisted.length > 0 || isMissing };
}

export interface DescribeOptions {
  /** Servers that did not name their models, and of which none are known. */
  readonly silent?: readonly Endpoint[];
  readonly problems?: readonly string[];
  readonly providers?: readonly DiscoveredProvider[];
}

/** What to make of the models that were found. */
export function describeDiscovery(
  { env, model }: ModelSources,
  offers: readonly ModelOffer[],
  { silent = [], problems = [], providers = [] }: DescribeOptions = {},
): Discovery {
  const all = [...offers, offlineOffer];
  const wanted = env.PARLEY_MODEL;
  const asked = model === undefined ? undefined : onlyOffer(all, model);
  const named = wanted ? onlyOffer(all, wanted) : undefined;
  const byKey = wanted ? undefined : all.find(({ origin }) => origin === 'environment' || origin === 'settings');
  const preferred = asked ?? named ?? byKey ?? offlineOffer;
  const local = [...new Set(offers.filter(({ origin }) => origin === 'local').map(({ provider }) => provider))];
  return {
    isOpen: false,
    offers: all,
    preferred,
    notices: [
      ...problems,
      ...silent.map((endpoint) => {
        const instead = preferred.id === OFFLINE_MODEL_ID ? ' Using the offline model.' : '';
        return `${endpoint.label} did not say which models it has; ${wordWhenSilent(endpoint)}${instead}`;
      }),
      ...(wanted && !named && !asked ? [`${missing(all, 'PARLEY_MODEL', wanted)}; using the offline model.`] : []),
      ...(model !== undefined && !asked && !wanted
        ? [`${missing(all, 'The model', model)}; using ${preferred.name}.`]
        : []),
      ...(local.length > 0 && preferred.id === OFFLINE_MODEL_ID
        ? [`Found ${local.join(', ')} on this machine; choose one of its models to use it.`]
        : []),
    ],
    providers,
  };
}

function missing(offers: readonly ModelOffer[], what: string, wanted: string): string {
  const match = findOffer(offers, wanted);
  if (match.kind !== 'several') {
    const [provider] = wanted.split('/');
    const server = offers.some((offer) => offer.provider === provider) ? '' : wordMissingServer(wanted);
    return `${what} is "${wanted}", but no such model is within reach${server}`;
  }
  return `${what} is "${wanted}", which may mean ${match.items.map(({ id }) => id).join(', ')}`;
}
