import { formatEntry, parseEntry, REDACTED, type TraceEntry, withoutSecrets } from '@parley/session/traces';

/** An entry of a file, and the same with its secrets where it has some. */
export interface FileEntry {
  readonly entry: TraceEntry;
  readonly original: TraceEntry | undefined;
}

/** How many lines are read without a break. */
const SLICE_LINES = 500;

/**
 * Reads a recorded trace, line by line and in slices; it stays in this page. What is no part of a trace is counted. The entries are told
 * without their secrets.
 */
export async function readTraceFile(
  file: Blob,
  onEntries: (entries: readonly FileEntry[]) => void,
  signal: AbortSignal,
): Promise<{ readonly skippedLines: number }> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let skippedLines = 0;
  const take = async (lines: readonly string[]): Promise<void> => {
    for (let at = 0; at < lines.length && !signal.aborted; at += SLICE_LINES) {
      const entries: FileEntry[] = [];
      for (const line of lines.slice(at, at + SLICE_LINES)) {
        const entry = parseEntry(line);
        if (entry) entries.push(toFileEntry(entry));
        else if (line.trim() !== '') skippedLines += 1;
      }
      if (entries.length > 0) onEntries(entries);
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  for (;;) {
    const { value, done } = await reader.read();
    if (signal.aborted) {
      await reader.cancel();
      return { skippedLines };
    }
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    await take(lines);
  }
  await take([rest]);
  return { skippedLines };
}

function toFileEntry(original: TraceEntry): FileEntry {
  const entry = withoutSecrets(original);
  const text = formatEntry(entry);
  const hasLost = text.includes(REDACTED) && text !== formatEntry(original);
  return { entry, original: hasLost ? original : undefined };
}
