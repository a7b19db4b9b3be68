/** Reads JSON lines while they come; those of one chunk together. */
export async function readLines(response: Response, onLines: (values: readonly unknown[]) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    const values = lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
    if (values.length > 0) onLines(values);
  }
}
