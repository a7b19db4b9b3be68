import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, usageError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import { shortLine } from '@parley/terminal';
import { resolveAgent } from '../../agents/resolve-agent.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import type { CliContext } from '../../context.ts';
import type { SharedFlags } from '../../flags/shared-flags.ts';
import { isOwn } from '../records/saved-session.ts';
import { SessionRecords } from '../records/session-records.ts';
import { type Archive, parseArchive, withoutSettings } from './archive.ts';

export interface ImportFlags extends SharedFlags {
  readonly file: string;
  readonly name?: string;
}

/** Largest archive that is read. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

/**
 * Takes a session from a file. One of our own agent becomes a session of it, with the whole conversation. One of another
 * agent becomes a record here; the agent itself must still have the session, or be able to load it, to go on. What was
 * said comes from the file; which program runs, where, and what it may do is up to the person here.
 */
export async function importSession(flags: ImportFlags, context: CliContext): Promise<void> {
  const path = resolve(context.cwd, flags.file);
  const size = await stat(path).then(
    (facts) => facts.size,
    (error: Error) => {
      throw usageError(`${flags.file} cannot be read: ${error.message}`);
    },
  );
  if (size > MAX_ARCHIVE_BYTES)
    throw usageError(`${flags.file} is larger than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MiB.`);
  const { session, events } = parseArchive(await readFile(path, 'utf8'), flags.file);
  const cwd = resolve(context.cwd, flags.cwd ?? '.');
  const loaded = await loadConfig(context);
  const agent = await chooseAgent(session.agent, flags, loaded, context);
  await using records = new SessionRecords(loaded.places);
  const { agentSessionId } = session;
  const facts = { agent, cwd, title: session.title ?? undefined, name: flags.name ?? session.name };
  const conversation = withoutSettings(events);
  const saved = isOwn({ agent })
    ? await records.importOwn(facts, { metadata: {}, events: conversation })
    : await records.create({ ...facts, ...(agentSessionId !== undefined && { agentSessionId }) }, conversation);
  for (const line of explainChanges(session, cwd)) context.stderr.write(`${shortLine(line)}\n`);
  context.stdout.write(`${saved.id}\n`);
}

/** An agent that this machine knows by its name is the one meant; any other command is run only if the person says it. */
async function chooseAgent(
  archived: string,
  flags: ImportFlags,
  loaded: LoadedConfig,
  context: CliContext,
): Promise<string> {
  if (flags.agent !== undefined) return (await resolveAgent(flags.agent, loaded, context)).name;
  const found = await resolveAgent(archived, loaded, context).catch(() => undefined);
  // A name that leads nowhere runs nothing; the conversation can be read all the same.
  if (found?.origin !== 'command') return found?.name ?? archived;
  throw new CliError(
    'usage',
    `This session was led with a program of its own, which nothing here vouches for: ${archived}`,
    {
      next: [
        shellLine`parley sessions import ${flags.file} --agent ${archived}   (if you want to run that program)`,
        shellLine`parley sessions import ${flags.file} --agent parley`,
      ],
    },
  );
}

/** What was left out is told, so that nobody misses it. */
function explainChanges({ settings = {}, mode, cwd: archived }: Archive['session'], cwd: string): readonly string[] {
  const left = Object.entries({ ...(mode !== undefined && { mode }), ...settings });
  const shown = left.map(([id, value]) => `${id} ${value}`).join(', ');
  return [
    ...(left.length > 0
      ? [`settings are not imported (${shown}); make them again with: parley set <option> <value>`]
      : []),
    ...(archived === cwd ? [] : [`it works in ${cwd} now, not in ${archived}; --cwd chooses another folder`]),
  ];
}
