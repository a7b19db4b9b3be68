import { countRedacted, formatEntry, type TraceEntry, withoutSecrets } from '@parley/session/traces';
import type { Row } from '../rows/row.ts';

export interface ExportedTrace {
  /** Lines of a trace, as `parley trace show` reads them. */
  readonly lines: readonly string[];
  /** Values that were taken out. */
  readonly masked: number;
}

/** The rows that are shown as a trace, in the order in which they came, and without secrets. */
export function exportTrace(rows: readonly Row[]): ExportedTrace {
  const entries: TraceEntry[] = [];
  // Chunks that are shown one by one are in their run already.
  for (const row of rows) if (!row.run) entries.push(...row.entries);
  entries.sort((one, other) => one.timeMs - other.timeMs);
  const lines = entries.map((entry) => formatEntry(withoutSecrets(entry)));
  return { lines, masked: lines.reduce((sum, line) => sum + countRedacted(line), 0) };
}
