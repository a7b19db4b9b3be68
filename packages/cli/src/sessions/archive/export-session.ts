import { resolve } from 'node:path';
import type { CliContext } from '../../context.ts';
import { writeWhole } from '../../output/write-out.ts';
import { textViewOptions } from '../../view/text-view-options.ts';
import { TextWriter } from '../../view/text-writer.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { isOwn } from '../records/saved-session.ts';
import { entriesOf } from '../records/transcript-of.ts';
import { historyView } from '../view/show-history.ts';
import type { Archive } from './archive.ts';
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

/** The archive as JSON, event by event: a session may be larger than memory. */
async function* archiveOf({ records, session }: Chosen): AsyncGenerator<string> {
  const { name, agent, command, agentSessionId, cwd, title, settings, mode } = session;
  const head: Omit<Archive, 'events'> = {
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
      ...(isOwn(session) && { ownMetadata: await records.ownMetadata(session) }),
    },
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -'\n}'.length)},\n  "events": [`;
  let mark = '\n';
  for await (const { kind, body, timeMs } of records.read(session)) {
    yield `${mark}    ${JSON.stringify({ kind, body, timeMs }, null, 2).replaceAll('\n', '\n    ')}`;
    mark = ',\n';
  }
  yield mark === '\n' ? ']\n}\n' : '\n  ]\n}\n';
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
