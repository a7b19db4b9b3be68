import type { CliContext } from '../context.ts';
import { createStyles, hasColor } from '../output/styles.ts';
import type { SharedFlags } from '../run/settings/shared-flags.ts';
import { readTrace } from './read-trace.ts';
import { formatEntry, type TraceEntry } from './trace-entry.ts';
import { createTraceLines } from './trace-lines.ts';

export interface ShowTraceFlags extends SharedFlags {
  readonly method?: string;
  readonly full?: boolean;
  readonly json?: boolean;
}

/** Prints a trace. */
export async function showTrace(file: string, flags: ShowTraceFlags, context: CliContext): Promise<void> {
  const { stdout } = context;
  const styles = createStyles(hasColor(context, stdout, flags));
  const { createMessageJudge } = await import('./judge-message.ts');
  const lines = createTraceLines({
    styles,
    write: (line) => stdout.write(line),
    judge: createMessageJudge(),
    isFull: flags.full === true,
  });
  const isWanted = createFilter(flags.method);
  for await (const entry of readTrace(file, context.cwd)) {
    const isShown = isWanted(entry);
    if (flags.json || flags.format === 'json') {
      if (isShown) stdout.write(formatEntry(entry));
    } else if (isShown) lines.add(entry);
    else lines.passOver(entry);
  }
  lines.end();
}

/** Messages of a method, with their answers. */
function createFilter(method: string | undefined): (entry: TraceEntry) => boolean {
  if (method === undefined) return () => true;
  const open = new Set<string>();
  return (entry) => {
    if (entry.kind !== 'message') return false;
    const { message, direction } = entry;
    const key = `${direction} ${JSON.stringify(message.id)}`;
    if ('method' in message) {
      const fits = String(message.method).startsWith(method);
      if (fits && 'id' in message) open.add(key);
      return fits;
    }
    return open.delete(`${direction === 'in' ? 'out' : 'in'} ${JSON.stringify(message.id)}`);
  };
}
