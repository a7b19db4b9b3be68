import type { TokenCount } from '@parley/agent';
import type { ModelPrice } from '@parley/models/model';
import { addUsage, costOf, type Usage, ZERO_USAGE } from '@parley/models/model';

/** What a session has used so far, kept with the session. */
export class UsageCount {
  readonly #state: Record<string, unknown>;

  constructor(state: Record<string, unknown>) {
    this.#state = state;
  }

  get tokens(): Usage {
    return { ...ZERO_USAGE, ...(this.#state.usage as Partial<Usage> | undefined) };
  }

  /** In US dollars, as far as prices are known. */
  get dollars(): number {
    return typeof this.#state.cost === 'number' ? this.#state.cost : 0;
  }

  /** Whether the price of something was not known, so that the sum is less than it cost. */
  get isPartial(): boolean {
    return this.#state.hasUnpriced === true;
  }

  add(usage: Usage, price: ModelPrice | undefined): void {
    const dollars = costOf(usage, price);
    this.#state.usage = addUsage(this.tokens, usage);
    if (dollars !== undefined) this.#state.cost = this.dollars + dollars;
    else if (price !== undefined) this.#state.hasUnpriced = true;
  }
}

/** Tokens of the model's requests, in the protocol's words. */
export function tokensOf(usage: Usage): TokenCount {
  const { inputTokens, outputTokens, thoughtTokens, cachedInputTokens, cacheWriteTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    ...(thoughtTokens > 0 && { thoughtTokens }),
    ...(cachedInputTokens > 0 && { cachedReadTokens: cachedInputTokens }),
    ...(cacheWriteTokens > 0 && { cachedWriteTokens: cacheWriteTokens }),
  };
}
