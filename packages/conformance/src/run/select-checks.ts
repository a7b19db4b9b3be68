import type { CheckFacts } from '../check.ts';
import { ConformanceError } from '../errors.ts';

/** The checks that the words name: an id (`PROMPT-07`), the front of ids (`PROMPT`), a group, or a level. */
export function selectChecks<Item extends CheckFacts>(
  checks: readonly Item[],
  words: readonly string[],
): readonly Item[] {
  if (words.length === 0) return checks;
  for (const word of words) {
    if (!checks.some((check) => isNamedBy(check, word))) {
      throw new ConformanceError('check_usage', `No check is named by "${word}". --list shows them all.`);
    }
  }
  return checks.filter((check) => words.some((word) => isNamedBy(check, word)));
}

function isNamedBy({ id, group, level }: CheckFacts, word: string): boolean {
  const wanted = word.toLowerCase();
  return [id, id.split('-')[0] ?? '', group, group.replaceAll(' ', '-'), level].some(
    (name) => name.toLowerCase() === wanted,
  );
}
