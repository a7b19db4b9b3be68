export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

/** Replaces exact text, or says what the model should look at: where it nearly stands, or how often it does. */
export function replaceText(
  text: string,
  { oldText, newText, isEverywhere }: Replacement,
): { readonly content: string; readonly says: string } | { readonly error: string } {
  // Models write \n; a file with Windows line ends is changed in its own.
  const isWindows = text.includes('\r\n') && !oldText.includes('\r');
  const wanted = isWindows ? oldText.replaceAll('\n', '\r\n') : oldText;
  const replacement = isWindows ? newText.replaceAll('\n', '\r\n') : newText;

  const places = countPlaces(text, wanted);
  if (places === 0) return { error: explainAbsence(text, wanted) };
  if (places > 1 && !isEverywhere) {
    return {
      error: `"old_text" stands ${places} times in the file (lines ${linesOf(text, wanted).join(', ')}). Include more of the text around the one you mean, or set replace_all.`,
    };
  }
  const content = text.split(wanted).join(replacement);
  return { content, says: places === 1 ? 'Edited' : `Replaced ${places} places in` };
}

function countPlaces(text: string, wanted: string): number {
  return text.split(wanted).length - 1;
}

/** The first few lines on which the text begins. */
function linesOf(text: string, wanted: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && lines.length < 10; at = text.indexOf(wanted, at + wanted.length)) {
    lines.push(text.slice(0, at).split('\n').length);
  }
  return lines;
}

function explainAbsence(text: string, wanted: string): string {
  const lines = text.split('\n');
  const [firstWanted = ''] = wanted.split('\n').filter((line) => line.trim() !== '');
  const near = lines.findIndex((line) => fold(line) === fold(firstWanted));
  if (near < 0) return '"old_text" was not found in the file. Read the file again and copy the text exactly.';
  const shown = lines.slice(near, near + Math.min(wanted.split('\n').length, 8)).join('\n');
  return `"old_text" was not found exactly, but line ${near + 1} is close; white space or letter case differ. The file has there:\n${shown}`;
}

function fold(line: string): string {
  return line.replace(/\s+/g, ' ').trim().toLowerCase();
}
