/** The candidates that a person may have meant, best first; none when nothing is near. */
export function closest(word: string, candidates: Iterable<string>): readonly string[] {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= allowed || isBeginning(wanted, candidate.toLowerCase()))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean "exec"?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = closest(word, candidates).map((each) => `"${each}"`);
  return found.length === 0 ? '' : ` Did you mean ${found.join(' or ')}?`;
}

const MAX_SUGGESTIONS = 3;
/** Longer words are not typos of anything here, and comparing them costs the product of their lengths. */
const MAX_COMPARED_CHARACTERS = 64;

function isBeginning(word: string, candidate: string): boolean {
  return word.length >= 3 && candidate.startsWith(word);
}

/** How many characters must be added, removed, changed or swapped with a neighbour. */
function distanceTo(word: string, candidate: string): number {
  if (word.length > MAX_COMPARED_CHARACTERS || candidate.length > MAX_COMPARED_CHARACTERS)
    return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: candidate.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= candidate.length; column += 1) {
      const isSame = word[row - 1] === candidate[column - 1];
      const isSwapped = word[row - 1] === candidate[column - 2] && word[row - 2] === candidate[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[candidate.length] ?? 0;
}
