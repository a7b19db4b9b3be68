import type { CheckResult, Report } from './report.ts';
import { groupScores, headline, MARKS, OUTCOME_WORDS, scores, untold } from './wording.ts';

/** The report for a repository or an issue. */
export function formatMarkdown(report: Report): string {
  const broken = report.results.filter(({ outcome }) => ['fail', 'flaky', 'warn'].includes(outcome));
  return [
    `# ${headline(report)}`,
    '',
    scores(report)
      .map(({ text }) => `**${text}**`)
      .join(' · '),
    ...(untold(report) === '' ? [] : ['', untold(report)]),
    '',
    '| group | result | checks |',
    '|---|---|---|',
    ...groupScores(report).map(({ group, text, results }) => `| ${group} | ${text} | ${results.length} |`),
    ...(broken.length === 0 ? [] : ['', '## What is wrong', ...broken.flatMap(formatBroken)]),
    '',
    '## All checks',
    '',
    '| check | level | says | outcome |',
    '|---|---|---|---|',
    ...report.results.map(formatRow),
    '',
  ].join('\n');
}

function formatBroken({
  id,
  level,
  says,
  source,
  outcome,
  expected,
  got,
  reason,
  wire = [],
  repro,
}: CheckResult): readonly string[] {
  return [
    '',
    `### ${MARKS[outcome]} ${id} (${level}) ${says}`,
    '',
    `- specification: ${source}`,
    ...(expected === undefined ? [`- ${reason ?? ''}`] : [`- expected: ${expected}`, `- got: ${got ?? ''}`]),
    `- reproduce: \`${repro}\``,
    ...(wire.length === 0 ? [] : ['', '```', ...wire, '```']),
  ];
}

function formatRow({ id, level, says, outcome, reason }: CheckResult): string {
  const why = outcome === 'pass' || reason === undefined ? '' : `: ${reason}`;
  return `| ${id} | ${level} | ${cell(says)} | ${MARKS[outcome]} ${OUTCOME_WORDS[outcome]}${cell(why)} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
