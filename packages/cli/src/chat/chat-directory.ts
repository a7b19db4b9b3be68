import type { ChatDestination, ChatDirectory, ChatTarget } from '@parley/chat';
import { CliError } from '@parley/host/command-line';
import { startableAgents } from '../agents/list-agents.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { type RunSettings, readRunSettings } from '../run/settings/run-settings.ts';
import { wordAge, wordSession } from '../sessions/choice/word-session.ts';
import { readPastTurns } from '../sessions/records/read-past-turns.ts';
import { isOwn, type SavedSession } from '../sessions/records/saved-session.ts';
import { SessionRecords } from '../sessions/records/session-records.ts';

export interface ChatDirectoryOptions {
  readonly settings: RunSettings;
  /** What the person said on the command line; what was meant for one agent is not for another. */
  readonly flags: SharedFlags;
  readonly context: CliContext;
  /** Makes of settings what a chat talks to. */
  readonly targetOf: (settings: RunSettings) => ChatTarget;
}

/** A directory whose sessions are saved ones. */
export interface SavedDirectory extends ChatDirectory {
  openSession(id: string): Promise<ChatDestination & { readonly resume: SavedSession }>;
}

/** The saved sessions of this folder, and the agents of this machine. */
export function createChatDirectory({ settings, flags, context, targetOf }: ChatDirectoryOptions): SavedDirectory {
  const { cwd } = settings.session;
  const { model: _, mode: _mode, auth: _auth, header: _header, tokenFile: _file, ca: _ca, ...others } = flags;
  const settingsFor = (agent: string, session?: SavedSession): Promise<RunSettings> => {
    const isHere = agent === settings.agent.name;
    // What is told about files of the project was told when the chat began.
    return readRunSettings({ ...(isHere ? flags : others), agent, cwd }, context, {
      isTold: true,
      keptMeta: session?.meta,
    });
  };
  const withRecords = async <Result>(use: (records: SessionRecords) => Promise<Result>): Promise<Result> => {
    await using records = new SessionRecords(settings.places);
    return await use(records);
  };
  return {
    sessions: () =>
      withRecords(async (records) => {
        const found = (await records.list()).filter((session) => session.cwd === cwd && !session.isClosed);
        return found.map((session) => ({
          id: session.id,
          agentSessionId: session.logId ?? session.agentSessionId ?? '',
          title: wordSession(session),
          about: `${session.agent}, ${wordAge(session.updatedAtMs)}`,
        }));
      }),
    openSession: (id) =>
      withRecords(async (records) => {
        const session = (await records.list()).find((each) => each.id === id);
        if (!session) throw new CliError('no_session', 'This session is gone.');
        if (session.worker?.isThere && !isOwn(session))
          throw new CliError('not_available', `Another process works in this session: ${session.worker.name}.`);
        const pastTurns = await readPastTurns(records.read(session));
        return { target: targetOf(await settingsFor(session.agent, session)), resume: session, pastTurns };
      }),
    agents: () => startableAgents(context),
    openAgent: async (name) => ({ target: targetOf(await settingsFor(name)) }),
  };
}
