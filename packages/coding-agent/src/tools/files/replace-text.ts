import { findTolerantly, type TolerantMatch } from './tolerant-match.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

/** A part of a text, by its first character and the one after its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Replaced {
  readonly content: string;
  readonly places: number;
  /** Where the new texts stand in the content. */
  readonly ranges: readonly TextRange[];
  /** What the old texts had otherwise than the file, where that was overlooked. */
  readonly differs: readonly string[];
}

/** Carries out all replacements, each on what the one before has left, or none and says why. */
export function replaceTexts(
  text: string,
  replacements: readonly Replacement[],
): Replaced | { readonly error: string } {
  let result: Replaced = { content: text, places: 0, ranges: [], differs: [] };
  for (const [index, replacement] of replacements.entries()) {
    const next = replaceOne(result, replacement);
    if ('error' in next) {
      const which = replacements.length > 1 ? `Edit ${index + 1} of ${replacements.length}: ` : '';
      const none = replacements.length > 1 ? ' Nothing was changed.' : '';
      return { error: `${which}${next.error}${none}` };
    }
    result = next;
  }
  return result;
}

/** Replaces text, or says what the model should look at: where it nearly stands, or how often it does. */
function replaceOne(before: Replaced, { oldText, newText, isEverywhere }: Replacement): Replaced | { error: string } {
  const text = before.content;
  // Models write \n; a file with Windows line ends is changed in its own.
  const isWindows = text.includes('\r\n') && !oldText.includes('\r');
  const wanted = isWindows ? oldText.replaceAll('\n', '\r\n') : oldText;
  const replacement = isWindows ? newText.replace(/\r?\n/g, '\r\n') : newText;

  const exact = placesOf(text, wanted).map((at) => ({ at, length: wanted.length, newText: replacement }));
  const tolerant: readonly TolerantMatch[] = exact.length === 0 ? findTolerantly(text, wanted, replacement) : [];
  const places: readonly Place[] = exact.length > 0 ? exact : tolerant;
  if (places.length === 0) return { error: explainAbsence(text, wanted) };
  if (places.length > 1 && !isEverywhere) {
    const lines = places.slice(0, 10).map(({ at }) => text.slice(0, at).split('\n').length);
    return {
      error: `"old_text" stands ${places.length} times in the file (lines ${lines.join(', ')}). Include more of the text around the one you mean, or set replace_all.`,
    };
  }
  // From the end, so that earlier places stay where they are.
  const replaced = places.toReversed().reduce(replaceAt, before);
  const [first] = tolerant;
  return {
    ...replaced,
    places: before.places + places.length,
    differs: first && !before.differs.includes(first.differs) ? [...before.differs, first.differs] : before.differs,
  };
}

interface Place {
  readonly at: number;
  readonly length: number;
  readonly newText: string;
}

function replaceAt(before: Replaced, { at, length, newText }: Place): Replaced {
  const { content, ranges } = before;
  const longer = newText.length - length;
  return {
    ...before,
    content: content.slice(0, at) + newText + content.slice(at + length),
    ranges: [
      ...ranges.map(({ start, end }) => {
        if (end <= at) return { start, end };
        if (start >= at + length) return { start: start + longer, end: end + longer };
        return { start: Math.min(start, at), end: Math.max(end + longer, at + newText.length) };
      }),
      { start: at, end: at + newText.length },
    ],
  };
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function explainAbsence(text: string, wanted: string): string {
  const lines = text.split('\n');
  const [firstWanted = ''] = wanted.split('\n').filter((line) => line.trim() !== '');
  const near = lines.findIndex((line) => loosely(line) === loosely(firstWanted));
  if (near < 0 && wanted.split('\n').every((line) => /^\s*\d+(?: {2}|\t)|^$/.test(line))) {
    return '"old_text" was not found in the file. It begins with the line numbers that read_file shows; leave them out.';
  }
  if (near < 0) return '"old_text" was not found in the file. Read the file again and copy the text exactly.';
  const shown = lines.slice(near, near + Math.min(wanted.split('\n').length, 8)).join('\n');
  return `"old_text" was not found, but line ${near + 1} is close. The file has there:\n${shown}`;
}

function loosely(line: string): string {
  return line.replace(/\s+/g, ' ').trim().toLowerCase();
}
