import type { AvailableModels } from './available-models.ts';
import { type DiscoverOptions, discoverModels } from './discover.ts';

/** How long what was found counts before local servers are looked for again. */
const FRESH_MS = 30_000;
/** How long opening a session waits for servers on this machine to name their models. */
const LOCAL_TIMEOUT_MS = 1000;
/** How long it waits for a server that the environment names: without it there is no model to begin with. */
const NAMED_TIMEOUT_MS = 3500;

/** Asks servers which models they have, and keeps the list of available models current. */
export class ModelRefresh {
  readonly #models: AvailableModels;
  readonly #options: DiscoverOptions;
  #refreshedAt = 0;
  #hasAsked = false;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(models: AvailableModels, options: DiscoverOptions) {
    this.#models = models;
    this.#options = options;
  }

  /**
   * Looks for models again, unless that was done a moment ago. A server that takes its time does not hold up the session;
   * its models appear later. The wait is longer only the first time, and only for a server that the environment names.
   */
  async run(): Promise<void> {
    if (Date.now() - this.#refreshedAt < FRESH_MS) return this.#refreshing;
    this.#refreshedAt = Date.now();
    const discovering = this.#discover();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#models.discovery.isOpen ? NAMED_TIMEOUT_MS : LOCAL_TIMEOUT_MS);
    });
    this.#refreshing = Promise.race([discovering, timeout]).finally(() => clearTimeout(timer));
    await this.#refreshing;
  }

  async #discover(): Promise<void> {
    const { isStale, ...discovery } = await discoverModels({ lists: 'kept', ...this.#options });
    this.#models.discovery = discovery;
    if (isStale && !this.#hasAsked) void this.#renew();
  }

  /** Lists that are old are asked for while the session goes on, once in a process. */
  async #renew(): Promise<void> {
    this.#hasAsked = true;
    const { isStale: _, ...discovery } = await discoverModels({ ...this.#options, lists: 'stale' });
    this.#models.discovery = discovery;
  }
}
