import type { OptionDefinition } from '@parley/agent';
import type { Fetch } from '../http/http-answer.ts';
import type { Model } from '../model.ts';
import type { RetryOptions } from '../retry.ts';
import { type Discovery, discoverAtOnce } from './discovery.ts';
import type { Environment } from './environment-models.ts';
import type { ModelOffer } from './offer.ts';

export interface AvailableModelsOptions {
  /** Default: this process's environment. */
  readonly env?: Environment;
  readonly discover?: { readonly fetch?: Fetch };
  /** The id or name of the model that new sessions begin with, where it is within reach. */
  readonly model?: string;
  readonly retry?: RetryOptions;
}

/** The models within reach, as far as they are known, and those already created. */
export class AvailableModels {
  /** `ModelRefresh` replaces it when servers have named their models. */
  discovery: Discovery;
  readonly #wanted: string | undefined;
  readonly #retry: RetryOptions | undefined;
  readonly #created = new Map<string, Promise<Model>>();

  constructor({ env = process.env, discover, model, retry }: AvailableModelsOptions) {
    this.#wanted = model;
    this.#retry = retry;
    this.discovery = discoverAtOnce(env, discover?.fetch);
  }

  /** The choice of a model as an option of sessions. It is read anew each time, so models found later appear in it. */
  get option(): OptionDefinition {
    const models = this;
    return {
      id: 'model',
      name: 'Model',
      category: 'model',
      get values() {
        return models.discovery.offers.map(({ id, name, description }) => ({ value: id, name, description }));
      },
      get default() {
        return models.first.id;
      },
    };
  }

  /** The model that a new session begins with: the wanted one as soon as it is found. */
  get first(): ModelOffer {
    const { offers, preferred } = this.discovery;
    return offers.find(({ id, name }) => id === this.#wanted || name === this.#wanted) ?? preferred;
  }

  /** The model that was chosen, or the first one when it is not within reach any more. */
  async use(chosen: unknown): Promise<{ readonly model: Model; readonly offer: ModelOffer }> {
    const offer = this.discovery.offers.find(({ id }) => id === chosen) ?? this.first;
    const creating = this.#created.get(offer.id) ?? offer.create(this.#retry);
    this.#created.set(offer.id, creating);
    try {
      return { model: await creating, offer };
    } catch (error) {
      this.#created.delete(offer.id);
      throw error;
    }
  }
}
