import { parse, print } from 'sh-syntax';

/** Lines that stand between the cases of a batch; no case may contain one. */
const separator = (index: number) => `__case_${index}__`;

/** How the second parser writes each script in its own form, or `undefined` where it cannot read it. */
export async function formatEach(scripts: readonly string[]): Promise<(string | undefined)[]> {
  return bisect(scripts, async (batch) => {
    const text = batch.map((script, index) => `${script}\n${separator(index)}\n`).join('');
    const lines = (await print(text, { keepComments: false })).split('\n');
    const formatted: string[] = [];
    let current: string[] = [];
    for (const line of lines) {
      if (line === separator(formatted.length)) {
        formatted.push(
          current
            .join('\n')
            .replaceAll(/\s*\\\n\s*/g, ' ')
            .replaceAll(/\n[ \t]+/g, '\n'),
        );
        current = [];
      } else {
        current.push(line);
      }
    }
    if (formatted.length !== batch.length) throw new Error('the cases of a batch ran into each other');
    return formatted;
  });
}

/** Whether the second parser takes each text for exactly one word. Only redirects show their words, so each text becomes one. */
export async function isOneWordEach(texts: readonly string[]): Promise<boolean[]> {
  const found = await bisect(texts, async (batch) => {
    const prefix = 'a > ';
    const file = await parse(batch.map((text) => `${prefix}${text}\n`).join(''), { keepComments: false });
    if (file.Stmts.length !== batch.length) throw new Error('some text is more than one word');
    let offset = 0;
    return batch.map((text, index) => {
      const [redirect, ...more] = file.Stmts[index]?.Redirs ?? [];
      const start = offset + prefix.length;
      const length = new TextEncoder().encode(text).length;
      offset = start + length + 1;
      return more.length === 0 && redirect?.Word.Pos.Offset === start && redirect.Word.End.Offset === start + length;
    });
  });
  return found.map((isOne) => isOne ?? false);
}

/** Runs a whole batch at once, and halves it where it fails, because starting the parser costs more than parsing. */
async function bisect<Item, Result>(
  items: readonly Item[],
  run: (batch: readonly Item[]) => Promise<Result[]>,
): Promise<(Result | undefined)[]> {
  if (items.length === 0) return [];
  try {
    return await run(items);
  } catch {
    if (items.length === 1) return [undefined];
    const middle = items.length >> 1;
    return [...(await bisect(items.slice(0, middle), run)), ...(await bisect(items.slice(middle), run))];
  }
}
