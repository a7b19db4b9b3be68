import type { Turn } from '@parley/agent';
import { TOKEN_COUNTS, type TokenCount, type UsageSignal } from '../reading/signal.ts';
import { readState } from './session-state.ts';

/** Adds what a turn has cost. From a sum of all turns, what the turns before it had cost is taken away. */
export function countTokens(turn: Turn, usage: UsageSignal): void {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
  const state = readState(turn.session);
  const before = usage.isTotal ? state.tokens : undefined;
  // A sum that has become smaller is that of another session of the command.
  const isSame = TOKEN_COUNTS.every((name) => (usage[name] ?? 0) >= (before?.[name] ?? 0));
  const countOf = (name: TokenCount): number => Math.round((usage[name] ?? 0) - (isSame ? (before?.[name] ?? 0) : 0));
  const others = TOKEN_COUNTS.slice(2).filter((name) => usage[name] !== undefined);
  turn.addTokens({
    inputTokens: countOf('inputTokens'),
    outputTokens: countOf('outputTokens'),
    ...Object.fromEntries(others.map((name) => [name, countOf(name)])),
  });
  if (!usage.isTotal) return;
  const tokens = Object.fromEntries(TOKEN_COUNTS.map((name) => [name, usage[name] ?? 0]));
  turn.session.state.command = { ...state, tokens };
}
