import type { OptionDefinition } from '@parley/agent';
import { type DiscoverOptions, type Discovery, discoverAtOnce } from '../models/discover.ts';
import type { Environment } from '../models/environment-models.ts';
import type { Model } from '../models/model.ts';
import type { ModelOffer } from '../models/offer.ts';

/** How long what was found counts before local servers are looked for again. */
const FRESH_MS = 30_000;

/** The models within reach, and those already made. */
export class ModelShelf {
  discovery: Discovery;
  readonly #env: Environment;
  readonly #options: Omit<DiscoverOptions, 'env'>;
  readonly #made = new Map<string, Promise<Model>>();
  #refreshedAt = 0;

  constructor(env: Environment, options: Omit<DiscoverOptions, 'env'> = {}) {
    this.#env = env;
    this.#options = options;
    this.discovery = discoverAtOnce(env, options.fetch);
  }

  /** The choice of a model as an option of sessions. It is read anew each time, so models found later appear in it. */
  get option(): OptionDefinition {
    const shelf = this;
    return {
      id: 'model',
      name: 'Model',
      category: 'model',
      get values() {
        return shelf.discovery.offers.map(({ id, name, description }) => ({ value: id, name, description }));
      },
      get default() {
        return shelf.discovery.preferred.id;
      },
    };
  }

  async refresh(): Promise<void> {
    if (Date.now() - this.#refreshedAt < FRESH_MS) return;
    this.#refreshedAt = Date.now();
    const { discoverModels } = await import('../models/discover.ts');
    this.discovery = await discoverModels({ ...this.#options, env: this.#env });
  }

  /** The model that was chosen, or what to begin with when it is not within reach any more. */
  async use(chosen: unknown): Promise<{ readonly model: Model; readonly offer: ModelOffer }> {
    const { offers, preferred } = this.discovery;
    const offer = offers.find(({ id }) => id === chosen) ?? preferred;
    const making = this.#made.get(offer.id) ?? offer.create();
    this.#made.set(offer.id, making);
    return { model: await making, offer };
  }
}
