import { access, constants } from 'node:fs/promises';
import type { ConnectTo } from '@parley/chat';
import { type ClientSession, formatAddress } from '@parley/client';
import type { SessionStore } from '@parley/store';
import { memoryStore } from '@parley/store/memory';
import type { ResolvedAgent } from '../../agents/resolved-agent.ts';
import { connectAgent } from '../../hosting/connect-agent.ts';
import type { Hosting } from '../../hosting/hosting.ts';
import type { Places } from '../../places.ts';
import { shortIds } from '../choice/word-session.ts';
import { isOwn, newRecordId, type SavedSession } from './saved-session.ts';
import { SessionRecords, sessionsFile } from './session-records.ts';

/** Keeps the sessions of a chat, so that they are found again. Sessions are named by their logs' ids. */
export interface ChatRecords {
  /** Connects to an agent so that its sessions are kept; undefined for our own, which keeps them itself. */
  connectTo(agent: ResolvedAgent): ConnectTo | undefined;
  /** `say` is told once when nothing can be kept. */
  onSession(session: ClientSession, agent: ResolvedAgent, say: (text: string) => void): void;
  /** Tells of a session that will be opened again, under which id it is kept; returns it as it can be opened. */
  expect(stored: SavedSession): Promise<SavedSession>;
  /** The id under which a session is kept, or will be. */
  idOf(logId: string): string | undefined;
  /** What a person types to come back to a session; undefined when nothing of it is kept. */
  findId(logId: string): Promise<string | undefined>;
  /** Gives a session a title; false when nothing of it is kept. */
  rename(logId: string, title: string): Promise<boolean>;
  /** Writes what is left and lets go of everything. */
  close(): Promise<void>;
}

/** A session is kept from its first turn on: one in which nothing was said is nothing to come back to. */
export function createChatRecords(places: Places): ChatRecords {
  let records: SessionRecords | undefined;
  const kept: Kept[] = [];
  /** By the logs' ids. New sessions have theirs before they are written down, so that it can be shown. */
  const ids = new Map<string, string>();
  const newIds = new Map<string, string>();
  let hasToldFault = false;
  /** A chat goes on though it cannot be kept. */
  const tellFault = (error: unknown, say: (text: string) => void): void => {
    if (hasToldFault) return;
    hasToldFault = true;
    say(`This chat is not kept. ${error instanceof Error ? error.message : String(error)}`);
  };

  const openRecords = (): SessionRecords => {
    records ??= new SessionRecords(places);
    return records;
  };
  const find = (sessions: readonly SavedSession[], logId: string): SavedSession | undefined => {
    const id = ids.get(logId);
    return sessions.find((each) => (id === undefined ? each.logId === logId : each.id === id));
  };
  const save = async (session: ClientSession, agent: ResolvedAgent): Promise<SavedSession> => {
    const isAgent = { agent: agent.name };
    const sessions = await openRecords().list();
    const known = sessions.find((each) => each.logId === session.id && each.agent === agent.name && each.isRecorded);
    const id = newIds.get(session.id);
    const saved =
      known ??
      (await openRecords().create({
        ...(id !== undefined && { id }),
        ...isAgent,
        command: formatAddress(agent.address),
        ...(isOwn(isAgent) ? { agentSessionId: session.id } : { hosted: session.id }),
        cwd: session.cwd,
      }));
    ids.set(session.id, saved.id);
    return saved;
  };
  /** Where nothing can be written, the chat has its log in memory. */
  const openStore = async (): Promise<SessionStore> => {
    const { store } = openRecords();
    return (await isWritable(store, sessionsFile(places))) ? store : memoryStore();
  };

  return {
    connectTo({ name }) {
      if (isOwn({ agent: name })) return undefined;
      const hosting: Hosting = { store: openStore, reserves: 'open' };
      return async (source, options, say) => (await connectAgent({ source, options, hosting, say })).connection;
    },
    async expect(stored) {
      const session = await openRecords().withLog(stored);
      const logId = session.logId ?? session.agentSessionId;
      if (logId !== undefined) ids.set(logId, session.id);
      return session;
    },
    idOf: (logId) => ids.get(logId) ?? newIds.get(logId),
    onSession(session, agent, say) {
      if (!ids.has(session.id) && !newIds.has(session.id)) newIds.set(session.id, newRecordId());
      const entry: Kept = { session, isHosted: !isOwn({ agent: agent.name }), saved: undefined };
      kept.push(entry);
      session.on('event', ({ type }) => {
        if (type !== 'turn_started' || entry.saved) return;
        entry.saved = save(session, agent);
        entry.saved.catch((error: unknown) => tellFault(error, say));
      });
    },
    async findId(logId) {
      await Promise.allSettled(kept.map(({ saved }) => saved));
      // Whoever leaves was told already that nothing is kept.
      const sessions = await openRecords()
        .list()
        .catch(() => []);
      const id = find(sessions, logId)?.id;
      return id === undefined ? undefined : shortIds(sessions)(id);
    },
    async rename(logId, title) {
      await Promise.allSettled(kept.map(({ saved }) => saved));
      const found = find(await openRecords().list(), logId);
      if (!found) return false;
      const renamed = await openRecords().rename(found, title);
      for (const entry of kept) if (entry.saved && entry.session.id === logId) entry.saved = Promise.resolve(renamed);
      return true;
    },
    async close() {
      for (const { session, saved, isHosted } of kept) {
        const found = await saved?.catch(() => undefined);
        const { title, turns } = session.transcript;
        const stopReason = turns.at(-1)?.stopReason;
        if (found) {
          const changes = {
            // A title that it has stays, as a person may have given it.
            ...(title !== undefined && found.title === null && { title }),
            ...(stopReason !== undefined && { lastStopReason: stopReason }),
          };
          // The store may be gone by now, and leaving is no time to tell of it.
          await records?.update(found, changes).catch(() => {});
        } else if (isHosted && !ids.has(session.id)) await records?.removeHosted(session.id).catch(() => {});
      }
      await records?.[Symbol.asyncDispose]();
    },
  };
}

interface Kept {
  readonly session: ClientSession;
  readonly isHosted: boolean;
  saved: Promise<SavedSession> | undefined;
}

/** Opens the store, which makes its file where there is none, and looks whether the file may be written. */
async function isWritable(store: SessionStore, file: string): Promise<boolean> {
  try {
    await store.log().list({ limit: 1 });
    await access(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
