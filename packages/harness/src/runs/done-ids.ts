import { readTexts } from '../formats/read-lines.ts';
import { IdIndex } from './id-index.ts';

/** The ids of results that a file has. What is no result, such as a line that a crash has torn, has none. */
export async function readDoneIds(path: string): Promise<Pick<ReadonlySet<string>, 'has' | 'size'>> {
  const ids = new IdIndex();
  for await (const lines of readTexts(path)) {
    for (const { text, line } of lines) {
      const id = idOf(text);
      if (id !== undefined) ids.add(id, line);
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
