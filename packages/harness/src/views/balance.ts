import { isRecord } from '@parley/host/json-files';
import type { BalanceAnalysis } from '../formats/index.ts';

export interface BalanceOptions {
  /** The field of `metadata` that names the category; dots lead deeper. Default: category. */
  readonly by?: string;
  /** A category is too small when it has less than this share of an even one, in percent. Default: 50. */
  readonly threshold?: number;
}

export const DEFAULT_CATEGORY_FIELD = 'category';
export const DEFAULT_BALANCE_THRESHOLD = 50;

const UNCATEGORIZED = '(uncategorized)';
/** Below these, numbers say little. */
const [FEW_CASES, FEW_IN_ALL] = [3, 20];

/** How cases are spread over categories, and what to do about it. Cases are read once and not kept. */
export async function analyseBalance(
  cases: AsyncIterable<{ readonly metadata?: Readonly<Record<string, unknown>> }>,
  options: BalanceOptions = {},
): Promise<BalanceAnalysis> {
  const { by = DEFAULT_CATEGORY_FIELD, threshold = DEFAULT_BALANCE_THRESHOLD } = options;
  const counts = new Map<string, number>();
  let totalCases = 0;
  for await (const { metadata } of cases) {
    totalCases++;
    for (const name of categoriesOf(metadata, by)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const categories = [...counts]
    .map(([name, count]) => ({ name, count, percentage: Math.round((count / totalCases) * 100) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const even = categories.length === 0 ? 0 : 100 / categories.length;
  const underrepresented = categories
    .filter(({ count }) => (count / totalCases) * 100 < (even * threshold) / 100)
    .map(({ name }) => name);
  return { totalCases, categories, underrepresented, suggestions: suggest(totalCases, categories, underrepresented) };
}

/** A case may be of several categories. */
function categoriesOf(metadata: unknown, by: string): readonly string[] {
  let value: unknown = metadata;
  if (isRecord(value) && by in value) value = value[by];
  else for (const part of by.split('.')) value = isRecord(value) ? value[part] : undefined;
  const names = (Array.isArray(value) ? value : [value]).filter(
    (name) => name !== undefined && name !== null && name !== '',
  );
  return names.length === 0 ? [UNCATEGORIZED] : [...new Set(names.map(String))];
}

function suggest(
  total: number,
  categories: BalanceAnalysis['categories'],
  underrepresented: readonly string[],
): readonly string[] {
  if (total === 0) return ['There are no cases.'];
  const dominant = categories.filter(({ count }) => categories.length > 1 && count / total > 0.5);
  const tiny = categories.filter(({ count }) => count < FEW_CASES);
  const suggestions = [
    ...dominant.map(
      ({ name, percentage }) => `"${name}" has ${percentage} % of all cases; the total says little about the others.`,
    ),
    ...underrepresented.map((name) => `Add cases of "${name}".`),
    ...tiny
      .filter(({ name }) => !underrepresented.includes(name))
      .map(({ name, count }) => `"${name}" has only ${count} ${count === 1 ? 'case' : 'cases'}.`),
    ...(total < FEW_IN_ALL
      ? [`${total} cases in all are few; with ${FEW_IN_ALL} or more, differences can be told from luck.`]
      : []),
  ];
  return suggestions.length === 0 ? ['Test set appears well-balanced'] : suggestions;
}

export function formatBalance({ totalCases, categories, underrepresented, suggestions }: BalanceAnalysis): string {
  return [
    '# Balance of the cases',
    '',
    `${totalCases} cases in ${categories.length} categories.`,
    '',
    '| category | cases | share |',
    '| --- | --- | --- |',
    ...categories.map(
      ({ name, count, percentage }) =>
        `| ${name.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}${underrepresented.includes(name) ? ' (few)' : ''} | ${count} | ${percentage} % |`,
    ),
    '',
    ...suggestions.map((text) => `- ${text}`),
    '',
  ].join('\n');
}
