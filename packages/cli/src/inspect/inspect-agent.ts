import { dirname, join } from 'node:path';
import { formatAddress } from '@parley/client';
import { traceToFile } from '@parley/client/node';
import { makeFolderSync } from '@parley/host/places';
import { type TraceEntry, withoutSecrets } from '@parley/session/traces';
import { createStyles, hasColor, type Styles } from '@parley/terminal';
import { resolveWords } from '../agents/resolve-words.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { findPlaces } from '../places.ts';
import { createTraceLines, type TraceLines } from '../trace/trace-lines.ts';
import { relay } from './relay.ts';
import { createTap } from './tap.ts';

export interface InspectFlags extends SharedFlags {
  /** False with `--no-live`. */
  readonly live?: boolean;
  readonly full?: boolean;
  /** False with `--no-redact`. */
  readonly redact?: boolean;
}

/**
 * Stands between the client that started us and a real agent. Every byte passes unchanged, in both directions; beside
 * it, messages are read, written to a trace without secrets, and shown on stderr. Resolves to the agent's exit code.
 */
export async function inspectAgent(
  words: readonly string[],
  flags: InspectFlags,
  context: CliContext,
): Promise<number> {
  const places = findPlaces(context.env);
  const address = await resolveWords(words, flags, context);
  const isRedacted = flags.redact !== false;
  const path =
    flags.trace ?? join(places.state, 'traces', `${stamp()}-${address.command.split(/[\\/]/).at(-1)}.ndjson`);
  makeFolderSync(dirname(path));
  const file = traceToFile(path);
  const { stderr } = context;
  const styles = createStyles(hasColor(context, stderr, flags));
  const lines = flags.live === false ? undefined : await createLines(context, styles, flags.full === true);
  if (flags.live !== false) {
    stderr.write(`${styles.dim(`${formatAddress(address)}; trace: ${path}`)}\n`);
  }
  const add = (entry: TraceEntry): void => {
    const told = isRedacted ? withoutSecrets(entry) : entry;
    file.write(told);
    if (told.kind !== 'stderr') lines?.add(told);
  };
  const out = createTap('out', add);
  const into = createTap('in', add);
  try {
    return await relay({
      address,
      context,
      onOut: out.write,
      onIn: into.write,
      onStderr: (text) => {
        add({ kind: 'stderr', timeMs: Date.now(), text });
        stderr.write(text);
      },
    });
  } finally {
    out.end();
    into.end();
    lines?.end();
    await file.close();
    if (file.dropped > 0)
      stderr.write(`${file.dropped} messages are missing in the trace: the disk was too slow or failed\n`);
  }
}

/** What is shown while it happens. The schemas that it is judged by are read only for that. */
async function createLines({ stderr }: CliContext, styles: Styles, isFull: boolean): Promise<TraceLines> {
  const { createMessageJudge } = await import('@parley/session/traces/judge');
  return createTraceLines({ styles, write: (line) => stderr.write(line), judge: createMessageJudge(), isFull });
}

function stamp(): string {
  return new Date().toISOString().replaceAll(/[:.]/g, '-').slice(0, 19);
}
