import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { NewEvent } from '@parley/store';
import type { CliContext } from '../context.ts';
import { createStyles } from '../output/styles.ts';
import type { Archive } from './archive.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { isOwn } from './saved-session.ts';
import { describeEntry } from './show-history.ts';
import { transcriptOf } from './transcript-of.ts';

export interface ExportFlags extends SessionFlags {
  readonly output?: string;
  readonly markdown?: boolean;
}

/** Writes a session to a file or to stdout, to be imported elsewhere or to be read. */
export async function exportSession(flags: ExportFlags, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const text = flags.markdown ? await toMarkdown(chosen) : `${JSON.stringify(await toArchive(chosen), null, 2)}\n`;
  if (flags.output === undefined) return void context.stdout.write(text);
  await writeFile(resolve(context.cwd, flags.output), text, { mode: 0o600 });
  context.stderr.write(`wrote ${flags.output}\n`);
}

type Chosen = Awaited<ReturnType<typeof requireSession>>;

async function toArchive({ shelf, session }: Chosen): Promise<Archive> {
  const { name, agent, command, agentSessionId, cwd, title, settings, mode } = session;
  const events: NewEvent[] = [];
  for await (const { kind, body, timeMs } of shelf.read(session)) events.push({ kind, body, timeMs });
  return {
    format: 'parley-session/1',
    exportedAt: new Date().toISOString(),
    session: {
      ...(name !== undefined && { name }),
      agent,
      ...(command !== undefined && { command }),
      ...(agentSessionId !== undefined && { agentSessionId }),
      cwd,
      title,
      settings,
      ...(mode !== undefined && { mode }),
      ...(isOwn(session) && { ownMetadata: await shelf.ownMetadata(session) }),
    },
    events,
  };
}

async function toMarkdown({ shelf, session }: Chosen): Promise<string> {
  const { entries } = await transcriptOf(shelf.read(session));
  const styles = createStyles(false);
  const parts = entries.toArray().flatMap((entry) => {
    const text = describeEntry(entry, styles, false);
    if (text === undefined) return [];
    return entry.type === 'message' ? [text] : [`\`\`\`\n${text}\n\`\`\``];
  });
  return `# ${session.title ?? session.id}\n\n${session.agent}, ${new Date(session.createdAtMs).toISOString()}, ${session.cwd}\n\n${parts.join('\n\n')}\n`;
}
