import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import type { SharedFlags } from '../run/shared-flags.ts';
import { parseArchive } from './archive.ts';
import { isOwn } from './saved-session.ts';
import { SessionShelf } from './session-shelf.ts';

export interface ImportFlags extends SharedFlags {
  readonly file: string;
  readonly name?: string;
}

/** Largest archive that is read. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

/**
 * Takes a session from a file. One of our own agent becomes a session of it, with all it knew. One of another agent
 * becomes a record here; the agent itself must still have the session, or be able to load it, to go on.
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
  const cwd = flags.cwd === undefined ? session.cwd : resolve(context.cwd, flags.cwd);
  const { places } = await loadConfig(context);
  await using shelf = new SessionShelf(places);
  const { agent, command, settings, mode, ownMetadata = {}, agentSessionId } = session;
  const facts = {
    agent,
    command,
    cwd,
    settings,
    mode,
    title: session.title ?? undefined,
    name: flags.name ?? session.name,
  };
  const saved = isOwn(session)
    ? await shelf.importOwn(facts, { metadata: ownMetadata, events })
    : await shelf.create({ ...facts, ...(agentSessionId !== undefined && { agentSessionId }) }, events);
  context.stdout.write(`${saved.id}\n`);
}
