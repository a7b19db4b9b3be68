import type { Fetch } from '../http/http-answer.ts';
import type { Model } from '../model/model.ts';
import type { RetryOptions } from '../model/retry.ts';
import type { Environment } from './configured-endpoints.ts';
import { type Discovery, discoverAtOnce } from './discovery.ts';
import { onlyOffer } from './find-offer.ts';
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

  /** The model that a new session begins with: the wanted one as soon as it is found. */
  get first(): ModelOffer {
    return this.discovery.preferred;
  }

  /** Whether nothing but the offline model is within reach, and no server has still to answer. */
  get isOffline(): boolean {
    return this.discovery.offers.length === 1 && !this.discovery.isOpen;
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
