import type { OptionDefinition } from '@parley/agent';
import type { Fetch } from '../http/http-answer.ts';
import type { Model } from '../model.ts';
import type { RetryOptions } from '../retry.ts';
import type { Environment } from './configured-endpoints.ts';
import { type Discovery, discoverAtOnce } from './discovery.ts';
import { onlyOffer } from './find-offer.ts';
import { LOGIN_METHODS, type LoginMethod } from './login-methods.ts';
import type { ModelOffer } from './offer.ts';
import type { ProvidersSettings } from './provider-settings.ts';

export interface AvailableModelsOptions {
  /** Default: this process's environment. */
  readonly env?: Environment;
  readonly discover?: { readonly fetch?: Fetch | undefined };
  readonly providers?: ProvidersSettings;
  /** The model that new sessions begin with, where it is within reach: its id, its name, or a part of it. */
  readonly model?: string;
  readonly retry?: RetryOptions;
}

/** The models within reach, as far as they are known, and those already created. */
export class AvailableModels {
  /** `ModelRefresh` replaces it when servers have named their models. */
  discovery: Discovery;
  readonly #retry: RetryOptions | undefined;
  readonly #created = new Map<string, Promise<Model>>();

  constructor({ env = process.env, discover, providers, model, retry }: AvailableModelsOptions) {
    this.#retry = retry;
    this.discovery = discoverAtOnce({ env, providers, model, fetch: discover?.fetch });
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
    return this.discovery.preferred;
  }

  /** How to get at a real model, while there is none; read once, when the agent is made. */
  get loginMethods(): readonly LoginMethod[] {
    return this.discovery.offers.length > 1 || this.discovery.isOpen ? [] : LOGIN_METHODS;
  }

  /** The model of an id, where it is within reach. */
  find(id: unknown): ModelOffer | undefined {
    return this.discovery.offers.find((offer) => offer.id === id);
  }

  /** The model that a person means, where it is within reach. */
  findNamed(wanted: string | undefined): ModelOffer | undefined {
    return wanted === undefined ? undefined : onlyOffer(this.discovery.offers, wanted);
  }

  /** The model that was chosen, or the first one when it is not within reach any more. */
  async use(chosen: unknown): Promise<{ readonly model: Model; readonly offer: ModelOffer }> {
    const offer = this.find(chosen) ?? this.first;
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
