import { createPairing, formatEntry, type TraceEntry } from '@parley/session/traces';
import { createStyles, hasColor } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { readTrace } from './read-trace.ts';
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
  const { createMessageJudge } = await import('@parley/session/traces/judge');
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
  // For somebody who reads along, and not for a program behind a pipe.
  if (stdout.isTTY === true && flags.format !== 'json' && !flags.json)
    context.stderr.write(
      styles.dim('With a timeline and filters: parley serve, then drop the file on the inspector\n'),
    );
}

/** Messages of a method, with their answers. */
function createFilter(method: string | undefined): (entry: TraceEntry) => boolean {
  if (method === undefined) return () => true;
  const pairing = createPairing<boolean>();
  return (entry) => {
    if (entry.kind !== 'message') return false;
    const { message } = entry;
    const fits = 'method' in message && String(message.method).startsWith(method);
    return pairing.pair(entry, fits) ?? fits;
  };
}
