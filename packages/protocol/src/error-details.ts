/** Where agents put the cause of an error, in the order in which it is looked for. */
const FIELDS = ['details', 'detail', 'message', 'error', 'reason', 'cause'] as const;

/** What the data of an error says besides its message, in words; undefined when it says nothing more. */
export function detailsOfError({
  message,
  data,
}: {
  readonly message: string;
  readonly data?: unknown;
}): string | undefined {
  const words = wordsOf(data, 0);
  return words === undefined || message.includes(words) ? undefined : words;
}

function wordsOf(data: unknown, depth: number): string | undefined {
  if (typeof data === 'string') return data.trim() === '' ? undefined : data.trim().slice(0, MAX_CHARACTERS);
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return undefined;
  for (const field of FIELDS) {
    const words = wordsOf((data as Readonly<Record<string, unknown>>)[field], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

const MAX_CHARACTERS = 2000;
const MAX_DEPTH = 3;
