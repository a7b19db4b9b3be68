import type { TokenUsage } from '@parley/session';

/** The tokens of a turn, from the prompt's answer. Still unstable in v1, but most agents send it. */
export function readUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const { totalTokens, inputTokens, outputTokens } = fields;
  if (!isCount(totalTokens) || !isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const { thoughtTokens, cachedReadTokens, cachedWriteTokens } = fields;
  return {
    totalTokens,
    inputTokens,
    outputTokens,
    ...(isCount(thoughtTokens) && { thoughtTokens }),
    ...(isCount(cachedReadTokens) && { cachedReadTokens }),
    ...(isCount(cachedWriteTokens) && { cachedWriteTokens }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
