import type { ContextUsage } from '../transcript/transcript.ts';
import { wordTokens } from './wording.ts';

/** Some agents tell sizes that cannot be; then only what is used is shown. */
export function wordUsage(usage: ContextUsage | undefined): string[] {
  if (!usage) return [];
  const { used, size, cost } = usage;
  const isPlausible = size > 0 && used >= 0 && used <= size;
  const words = [isPlausible ? `${Math.round((100 * used) / size)}% ctx` : `${wordTokens(Math.max(0, used))} tokens`];
  if (cost && Number.isFinite(cost.amount)) words.push(wordCost(cost));
  return words;
}

/** An amount of money: `$0.012`, `3.40 EUR`. */
export function wordCost({ amount, currency }: NonNullable<ContextUsage['cost']>): string {
  const digits = amount < 1 ? 3 : 2;
  return currency === 'USD' ? `$${amount.toFixed(digits)}` : `${amount.toFixed(digits)} ${currency}`;
}
