import { resolve } from 'node:path';
import { TextWriter } from '@parley/chat/view';
import { writeWhole } from '@parley/host/command-line';
import type { CliContext } from '../../context.ts';
import { textViewOptions } from '../../output/text-view-options.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { isOwn } from '../records/saved-session.ts';
import { entriesOf } from '../records/transcript-of.ts';
import { historyView } from '../view/show-history.ts';
import { type Archive, writeArchive } from './archive.ts';
import { writeFileWhole } from './write-file-whole.ts';

export interface ExportFlags extends SessionFlags {
  readonly output?: string;
  readonly markdown?: boolean;
}

/** Writes a session to a file or to stdout, to be imported elsewhere or to be read. Half an export is a failure. */
export async function exportSession(flags: ExportFlags, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const pieces = flags.markdown ? markdownOf(chosen, context) : archiveOf(chosen);
  if (flags.output === undefined) return await writeWhole(context.stdout, pieces);
  await writeFileWhole(resolve(context.cwd, flags.output), flags.output, pieces);
  context.stderr.write(`wrote ${flags.output}\n`);
}

type Chosen = Awaited<ReturnType<typeof requireSession>>;

/** A session of this person, or of a server that is looked at, as an archive. */
export async function* archiveOf({ records, session }: Pick<Chosen, 'records' | 'session'>): AsyncGenerator<string> {
  const { name, agent, command, agentSessionId, cwd, title, settings, mode } = session;
  const facts: Archive['session'] = {
    ...(name !== undefined && { name }),
    agent,
    ...(command !== undefined && { command }),
    ...(agentSessionId !== undefined && { agentSessionId }),
    cwd,
    title,
    settings,
    ...(mode !== undefined && { mode }),
    ...(isOwn(session) && { ownMetadata: await records.ownMetadata(session) }),
  };
  yield* writeArchive(facts, records.read(session));
}

async function* markdownOf({ records, session }: Chosen, context: CliContext): AsyncGenerator<string> {
  const view = historyView({ color: false }, session.cwd);
  const options = textViewOptions(view, context, {});
  yield `# ${session.title ?? session.id}\n\n${session.agent}, ${new Date(session.createdAtMs).toISOString()}, ${session.cwd}\n`;
  for await (const { entry, transcript } of entriesOf(records.read(session))) {
    let text = '';
    new TextWriter({ ...options, write: (more) => (text += more) }).entry(entry, transcript);
    text = text.trimEnd();
    if (text !== '') yield entry.type === 'message' ? `\n${text}\n` : `\n\`\`\`\n${text}\n\`\`\`\n`;
  }
}
