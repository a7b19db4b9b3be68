import type { ModelPrice } from '@parley/models/model';

/** A count of tokens in few characters: `200k`, `1M`. */
export function shortCount(tokens: number): string {
  if (tokens >= 1_000_000) return `${trim(tokens / 1_000_000)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}

/** Dollars for a million tokens: read, read from the cache, written. */
export function describePrice(price: ModelPrice | undefined): string {
  if (price === undefined) return '-';
  const { input, output, cachedInput } = price;
  if (input === 0 && output === 0) return 'free';
  return `$${trim(input)}/${cachedInput === undefined ? '?' : trim(cachedInput)}/${trim(output)}`;
}

function trim(number: number): string {
  return String(Math.round(number * 1000) / 1000);
}
