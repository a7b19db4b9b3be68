import { escapeMarkup } from '@parley/host/markup';
import type { CheckResult, Report } from './report.ts';
import { groupScores, OUTCOME_WORDS } from './wording.ts';

/** The report for continuous integration. Warnings pass there and are told in the output; what could not be told is skipped. */
export function formatJUnit(report: Report): string {
  const suites = groupScores(report).map(({ group, results }) => {
    const failures = results.filter(isFailure).length;
    const skipped = results.filter(isSkipped).length;
    const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
    const facts = `name="${escapeMarkup(group)}" tests="${results.length}" failures="${failures}" skipped="${skipped}" time="${seconds}"`;
    return `  <testsuite ${facts}>\n${results.map(formatCase).join('\n')}\n  </testsuite>`;
  });
  const name = escapeMarkup(`ACP v${report.protocolVersion} ${report.name ?? report.target}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function formatCase(result: CheckResult): string {
  const { id, level, says, group, durationMs, outcome, reason = '' } = result;
  const open = `    <testcase classname="${escapeMarkup(group)}" name="${escapeMarkup(`${id} ${level} ${says}`)}" time="${durationMs / 1000}"`;
  if (outcome === 'pass') return `${open}/>`;
  if (isFailure(result))
    return `${open}><failure message="${escapeMarkup(reason)}">${escapeMarkup(details(result))}</failure></testcase>`;
  if (isSkipped(result))
    return `${open}><skipped message="${escapeMarkup(`${OUTCOME_WORDS[outcome]}: ${reason}`)}"/></testcase>`;
  return `${open}><system-out>${escapeMarkup(`${OUTCOME_WORDS[outcome]}: ${details(result)}`)}</system-out></testcase>`;
}

function details({ reason = '', wire = [], repro }: CheckResult): string {
  return [reason, ...wire, `repro: ${repro}`].join('\n');
}

function isFailure({ outcome, level }: CheckResult): boolean {
  return outcome === 'fail' || (outcome === 'flaky' && level === 'MUST');
}

function isSkipped({ outcome }: CheckResult): boolean {
  return !['pass', 'fail', 'warn', 'flaky'].includes(outcome);
}
