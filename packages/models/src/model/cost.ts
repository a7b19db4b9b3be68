import type { Usage } from './model.ts';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Left out where unknown; no cost is claimed for a request that read from the cache then. */
  readonly cachedInput?: number;
  /** Default: the same as input. */
  readonly cacheWrite?: number;
  /** Requests with more input than this are charged at these rates throughout. */
  readonly long?: {
    readonly aboveInputTokens: number;
    readonly input: number;
    readonly output: number;
    readonly cachedInput?: number;
    readonly cacheWrite?: number;
  };
  /** A price known to end; after this day we claim no cost. */
  readonly validUntil?: string;
}

/** What one request cost in US dollars, or undefined when its price is unknown today. */
export function costOf(usage: Usage, price: ModelPrice | undefined, now: () => number = Date.now): number | undefined {
  if (price === undefined || isOver(price.validUntil, now())) return undefined;
  const long = price.long !== undefined && usage.inputTokens > price.long.aboveInputTokens ? price.long : undefined;
  const { input, output, cachedInput } = long ?? price;
  // In a long conversation nearly everything is cached, at a fraction of the price: a guess would be off many times over.
  if (cachedInput === undefined && usage.cachedInputTokens > 0) return undefined;
  const cacheWrite = Math.max(long?.cacheWrite ?? price.cacheWrite ?? input, input);
  const fresh = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens;
  const dollars =
    fresh * input +
    usage.cachedInputTokens * (cachedInput ?? 0) +
    usage.cacheWriteTokens * cacheWrite +
    usage.outputTokens * output;
  return dollars / 1_000_000;
}

/** The sum of two usages, as for a turn of several requests. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    thoughtTokens: a.thoughtTokens + b.thoughtTokens,
  };
}

function isOver(lastDay: string | undefined, nowMs: number): boolean {
  return lastDay !== undefined && nowMs > Date.parse(`${lastDay}T23:59:59Z`);
}
