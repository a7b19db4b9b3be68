import { GROUPS, type Group, type Level, type Outcome } from '../check.ts';
import { type CheckResult, countOf, LEVELS, type Report, scoreOf } from './report.ts';

export const MARKS: Readonly<Record<Outcome, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '⚠',
  flaky: '≈',
  not_applicable: '–',
  not_provoked: '?',
  needs_authentication: '🔒',
  skipped: '·',
};

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warning',
  flaky: 'flaky',
  not_applicable: 'not applicable',
  not_provoked: 'not provoked',
  needs_authentication: 'needs authentication',
  skipped: 'skipped',
};

/** `ACP v1 · my-agent 0.3.1 · node agent.js · 2026-11-15 · 92 checks in 18.4 s` */
export function headline(report: Report): string {
  const { name, version, protocolVersion, target, startedAt, results, durationMs, role, repeat } = report;
  const who = [name ?? `unnamed ${role}`, version].filter(Boolean).join(' ');
  const times = repeat > 1 ? `, ${repeat} times,` : '';
  return `ACP v${protocolVersion} · ${who} · \`${target}\` · ${startedAt.slice(0, 10)} · ${results.length} checks${times} in ${seconds(durationMs)}`;
}

/** `MUST 61/64 ✗`, for each level that has anything to say. */
export function scores(
  report: Report,
): readonly { readonly level: Level; readonly text: string; readonly outcome: Outcome }[] {
  return LEVELS.flatMap((level) => {
    const { passed, applicable } = scoreOf(report, level);
    if (applicable === 0) return [];
    const outcome = passed === applicable ? 'pass' : level === 'MUST' ? 'fail' : 'warn';
    return [{ level, text: `${level} ${passed}/${applicable} ${MARKS[outcome]}`, outcome }];
  });
}

/** How many could not be told, and why. */
export function untold(report: Report): string {
  const kinds: readonly Outcome[] = ['not_applicable', 'not_provoked', 'needs_authentication', 'skipped'];
  const parts = kinds.flatMap((outcome) => {
    const count = countOf(report, outcome);
    return count === 0 ? [] : [`${count} ${OUTCOME_WORDS[outcome]}`];
  });
  return parts.join(', ');
}

export interface GroupScore {
  readonly group: Group;
  readonly results: readonly CheckResult[];
  readonly outcome: Outcome;
  /** `✓9`, `✗2`: how many of the worst there are. */
  readonly text: string;
}

/** The groups in their order, each with the worst of its outcomes. */
export function groupScores({ results }: Report): readonly GroupScore[] {
  return GROUPS.flatMap((group) => {
    const members = results.filter((result) => result.group === group);
    if (members.length === 0) return [];
    const order: readonly Outcome[] = [
      'fail',
      'flaky',
      'warn',
      'pass',
      'needs_authentication',
      'not_provoked',
      'skipped',
    ];
    const outcome =
      order.find((candidate) => members.some((member) => member.outcome === candidate)) ?? 'not_applicable';
    const count = members.filter((member) => member.outcome === outcome).length;
    return [{ group, results: members, outcome, text: `${MARKS[outcome]}${count}` }];
  });
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
