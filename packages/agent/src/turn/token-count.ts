import { ParleyError } from '@parley/jsonrpc';
import type { TokenCount } from '../contract/turn.ts';

const KINDS = ['inputTokens', 'outputTokens', 'thoughtTokens', 'cachedReadTokens', 'cachedWriteTokens'] as const;

/** The sum of two counts. A kind that is in neither count is not in the sum. */
export function addTokens(before: TokenCount | undefined, more: TokenCount): TokenCount {
  const sum: { -readonly [Kind in keyof TokenCount]: number } = { inputTokens: 0, outputTokens: 0 };
  for (const kind of KINDS) {
    const count = more[kind];
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
      throw new ParleyError('invalid_update', `Tokens were not counted: ${kind} must be a whole number, got ${count}.`);
    }
    if (count !== undefined || before?.[kind] !== undefined) sum[kind] = (before?.[kind] ?? 0) + (count ?? 0);
  }
  return sum;
}

/** Unstable: what a turn has used, as clients are told. */
export function withTotal(tokens: TokenCount): TokenCount & { readonly totalTokens: number } {
  return { totalTokens: tokens.inputTokens + tokens.outputTokens, ...tokens };
}
