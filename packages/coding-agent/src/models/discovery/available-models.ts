import type { OptionDefinition } from '@parley/agent';
import type { Model } from '../model.ts';
import type { DiscoverOptions, discoverModels } from './discover.ts';
import { type Discovery, discoverAtOnce } from './discovery.ts';
import type { Environment } from './environment-models.ts';
import type { ModelOffer } from './offer.ts';

/** How long what was found counts before local servers are looked for again. */
const FRESH_MS = 30_000;
/** How long opening a session waits for servers on this machine to name their models. */
const PATIENCE_MS = 1000;
/** How long it waits for a server that the environment names: without it there is no model to begin with. */
const LONG_PATIENCE_MS = 3500;

/** The models within reach, and those already made. */
export class ModelShelf {
  discovery: Discovery;
  readonly #env: Environment;
  readonly #options: Omit<DiscoverOptions, 'env'>;
  readonly #wanted: string | undefined;
  readonly #made = new Map<string, Promise<Model>>();
  #refreshedAt = 0;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(env: Environment, options: Omit<DiscoverOptions, 'env'> = {}, wanted?: string) {
    this.#env = env;
    this.#options = options;
    this.#wanted = wanted;
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
        return shelf.first.id;
      },
    };
  }

  /**
   * Looks for models again. A server that takes its time does not hold up the session; its models appear later. Only the
   * first time, and only for what the environment names, there is more patience. What does the looking is given, since a
   * shelf is there before anything is loaded that speaks HTTP.
   */
  async refresh(discover: typeof discoverModels): Promise<void> {
    if (Date.now() - this.#refreshedAt < FRESH_MS) return this.#refreshing;
    this.#refreshedAt = Date.now();
    const looking = this.#look(discover);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.discovery.isOpen ? LONG_PATIENCE_MS : PATIENCE_MS);
    });
    this.#refreshing = Promise.race([looking, patience]).finally(() => clearTimeout(timer));
    await this.#refreshing;
  }

  /** What to begin with: what was wanted, as soon as it is found. */
  get first(): ModelOffer {
    const { offers, preferred } = this.discovery;
    return offers.find(({ id, name }) => id === this.#wanted || name === this.#wanted) ?? preferred;
  }

  async #look(discover: typeof discoverModels): Promise<void> {
    this.discovery = await discover({ ...this.#options, env: this.#env });
  }

  /** The model that was chosen, or what to begin with when it is not within reach any more. */
  async use(chosen: unknown): Promise<{ readonly model: Model; readonly offer: ModelOffer }> {
    const offer = this.discovery.offers.find(({ id }) => id === chosen) ?? this.first;
    const making = this.#made.get(offer.id) ?? offer.create();
    this.#made.set(offer.id, making);
    try {
      return { model: await making, offer };
    } catch (error) {
      this.#made.delete(offer.id);
      throw error;
    }
  }
}
