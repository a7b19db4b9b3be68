import type { CheckResult, Report } from '../report/report.ts';
import type { Protocol } from '../versions/protocol.ts';
import { mergeRounds } from './merge-rounds.ts';

/** What one run of all checks found. */
export interface Round {
  /** What the checked side calls itself. */
  readonly info: { readonly name?: string; readonly version?: string };
  readonly results: readonly CheckResult[];
}

interface RoundsOptions extends Pick<Report, 'role' | 'target' | 'repeat'> {
  readonly protocol: Protocol;
  readonly runRound: (index: number) => Promise<Round>;
}

/** Runs all checks as often as asked, one round after the other, and makes one report of it. */
export async function reportRounds({ role, target, protocol, repeat, runRound }: RoundsOptions): Promise<Report> {
  const startedAt = new Date();
  const rounds: Round[] = [];
  for (let index = 0; index < repeat; index += 1) rounds.push(await runRound(index));
  return {
    format: 'parley-check/1',
    role,
    target,
    ...rounds[0]?.info,
    protocolVersion: protocol,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    repeat,
    results: mergeRounds(rounds.map(({ results }) => results)),
  };
}
