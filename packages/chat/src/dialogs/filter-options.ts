import type { ChoiceOption } from './choice.ts';

/** The places of the options that have every word of the filter, in label or description; those with the label first. */
export function filterOptions(options: readonly ChoiceOption[], filter: string): readonly number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const places = options.map((_, index) => index);
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const byLabel = places.filter((index) => has(options[index]?.label ?? ''));
  const others = places.filter((index) => {
    const { label = '', description = '' } = options[index] ?? {};
    return !byLabel.includes(index) && has(`${label} ${description}`);
  });
  return [...byLabel, ...others];
}
