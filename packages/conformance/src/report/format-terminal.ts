import type { Outcome } from '../check.ts';
import type { Comparison } from './compare.ts';
import { type CheckResult, OUTCOMES, type Report } from './report.ts';
import { groupScores, headline, MARKS, OUTCOME_WORDS, scores, untold } from './wording.ts';

export interface TerminalOptions {
  readonly color?: boolean;
  /** Also lists what passed and what could not be told. Default: false. */
  readonly verbose?: boolean;
  readonly comparison?: Comparison;
}

/** The report for a person at a terminal: what is wrong comes first. */
export function formatTerminal(report: Report, options: TerminalOptions = {}): string {
  const { verbose = false, comparison } = options;
  const paint = options.color ? colored : plain;
  const broken = report.results.filter(({ outcome }) => BROKEN.includes(outcome)).sort(worstFirst);
  const lines = [
    headline(report),
    scores(report)
      .map(({ text, outcome }) => paint(text, outcome))
      .join('   '),
    ...(untold(report) === '' ? [] : [paint(untold(report), 'skipped')]),
    groupScores(report)
      .map(({ group, text, outcome }) => paint(`${group} ${text}`, outcome))
      .join('   '),
    ...(comparison ? ['', ...formatComparison(comparison)] : []),
    ...broken.flatMap((result) => ['', ...formatBroken(result, paint)]),
    ...(verbose ? ['', ...listOthers(report, paint)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

type Paint = (text: string, outcome: Outcome) => string;

const BROKEN: readonly Outcome[] = ['fail', 'flaky', 'warn'];

function worstFirst(left: CheckResult, right: CheckResult): number {
  return OUTCOMES.indexOf(left.outcome) - OUTCOMES.indexOf(right.outcome);
}

function formatBroken(result: CheckResult, paint: Paint): readonly string[] {
  const { id, level, says, source, outcome, expected, got, reason, wire = [], repro, rounds } = result;
  return [
    `${paint(`${MARKS[outcome]} ${id} ${level}`, outcome)}  ${says}    spec: ${source}`,
    ...(expected === undefined ? [`   ${reason ?? ''}`] : [`   expected ${expected}`, `   got      ${got ?? ''}`]),
    ...(rounds ? [`   rounds   ${rounds.map((round) => MARKS[round]).join(' ')}`] : []),
    ...wire.map((line, index) => `   ${index === 0 ? 'wire:' : '     '}  ${cut(line)}`),
    `   repro: ${repro}`,
  ];
}

function listOthers({ results }: Report, paint: Paint): readonly string[] {
  return results
    .filter(({ outcome }) => !BROKEN.includes(outcome))
    .map(({ id, level, says, outcome, reason }) => {
      const why = outcome === 'pass' ? '' : ` (${OUTCOME_WORDS[outcome]}: ${reason ?? ''})`;
      return `${paint(`${MARKS[outcome]} ${id} ${level}`, outcome)}  ${says}${why}`;
    });
}

function formatComparison({ newlyFailing, fixed, changed, added }: Comparison): readonly string[] {
  const ids = (results: readonly CheckResult[]): string => results.map(({ id }) => id).join(', ') || 'none';
  return [
    `newly failing: ${ids(newlyFailing)}`,
    `fixed: ${ids(fixed)}`,
    ...changed.map(({ result, before }) => `${result.id}: ${OUTCOME_WORDS[before]} → ${OUTCOME_WORDS[result.outcome]}`),
    ...(added.length === 0 ? [] : [`not in the earlier run: ${ids(added)}`]),
  ];
}

const MAX_LINE = 200;

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

const COLORS: Readonly<Record<Outcome, number>> = {
  pass: 32,
  fail: 31,
  warn: 33,
  flaky: 35,
  not_applicable: 90,
  not_provoked: 90,
  needs_authentication: 36,
  skipped: 90,
};

function colored(text: string, outcome: Outcome): string {
  return `\u001b[${COLORS[outcome]}m${text}\u001b[0m`;
}

function plain(text: string): string {
  return text;
}
