import { readTexts } from '../formats/read-lines.ts';

/** The ids of results that a file has. What is no result, such as a line that a crash has torn, has none. */
export async function readDoneIds(path: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const lines of readTexts(path)) {
    for (const { text } of lines) {
      const id = idOf(text);
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}

function idOf(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
