import { type ClientSession, formatAddress } from '@parley/client';
import type { ResolvedAgent } from '../../agents/resolved-agent.ts';
import type { Places } from '../../places.ts';
import { shortIds } from '../choice/word-session.ts';
import { promptAsAsked, RecordOwner } from './record-owner.ts';
import { isOwn, newRecordId, type SavedSession } from './saved-session.ts';
import { recordSession, type SessionRecorder } from './session-recorder.ts';
import { SessionRecords } from './session-records.ts';
import { eventsOfTranscript } from './transcript-of.ts';

/** Keeps the sessions of a chat, so that they are found again. */
export interface ChatRecords {
  /** `say` is told once when nothing can be kept. */
  onSession(session: ClientSession, agent: ResolvedAgent, say: (text: string) => void): void;
  /** Resolves when everything that was told so far is on disk; undefined when it is. */
  save(): Promise<void> | undefined;
  /** Tells of a session that will be opened again, under which id it is kept. */
  expect(stored: Pick<SavedSession, 'id' | 'agentSessionId'> | undefined): void;
  /** The id under which a session of an agent is kept, or will be. */
  idOf(agentSessionId: string): string | undefined;
  /** What a person types to come back to a session of an agent; undefined when nothing of it is kept. */
  findId(agentSessionId: string): Promise<string | undefined>;
  /** Gives a session a title; false when nothing of it is kept. */
  rename(agentSessionId: string, title: string): Promise<boolean>;
  /** Writes what is left and lets go of everything. */
  close(): Promise<void>;
}

/**
 * A session is kept from its first turn on: one in which nothing was said is nothing to come back to. While the chat is
 * open, others see that this process works in it.
 */
export function createChatRecords(places: Places): ChatRecords {
  let records: SessionRecords | undefined;
  const kept: Kept[] = [];
  /** By the agents' own ids. New sessions have theirs before they are written down, so that it can be shown. */
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
  /** Agents count their sessions as they like, so that those of another one may have the same id; ours never have. */
  const find = (sessions: readonly SavedSession[], agentSessionId: string): SavedSession | undefined => {
    const id = ids.get(agentSessionId);
    return sessions.find((each) =>
      id === undefined ? isOwn(each) && each.agentSessionId === agentSessionId : each.id === id,
    );
  };
  const save = async (session: ClientSession, agent: ResolvedAgent): Promise<SavedSession> => {
    const sessions = await openRecords().list();
    const known = sessions.find(
      (each) => each.agentSessionId === session.id && each.agent === agent.name && each.isRecorded,
    );
    const id = newIds.get(session.id);
    const saved =
      known ??
      (await openRecords().create({
        ...(id !== undefined && { id }),
        agent: agent.name,
        command: formatAddress(agent.address),
        agentSessionId: session.id,
        cwd: session.cwd,
      }));
    ids.set(session.id, saved.id);
    return saved;
  };

  return {
    expect(stored) {
      if (stored?.agentSessionId !== undefined) ids.set(stored.agentSessionId, stored.id);
    },
    idOf: (agentSessionId) => ids.get(agentSessionId) ?? newIds.get(agentSessionId),
    onSession(session, agent, say) {
      if (!ids.has(session.id) && !newIds.has(session.id)) newIds.set(session.id, newRecordId());
      const entry: Kept = { session, recorder: undefined, saved: undefined, owner: undefined };
      const base = eventsOfTranscript(session.transcript);
      const ensure = (): Promise<SavedSession> => {
        entry.saved ??= save(session, agent).then(async (saved) => {
          // Our own agent owns its sessions itself.
          if (isOwn(saved)) return saved;
          entry.owner = await RecordOwner.tryOwn(openRecords(), saved);
          if (saved.events === 0) await entry.owner?.append(base);
          entry.owner?.serve(session, (prompt, seq) => {
            entry.recorder?.expect(prompt, seq);
            return promptAsAsked(session, prompt);
          });
          return saved;
        });
        return entry.saved;
      };
      kept.push(entry);
      if (isOwn({ agent: agent.name })) {
        // Our own agent writes its log itself; here it only has to be found again.
        session.on(
          'event',
          ({ type }) => type === 'turn_started' && ensure().catch((error: unknown) => tellFault(error, say)),
        );
        return;
      }
      entry.recorder = recordSession(session, async (events) => {
        await ensure()
          .then(() => entry.owner?.append(events))
          .catch((error: unknown) => tellFault(error, say));
      });
    },
    save() {
      const saving = kept.flatMap(({ recorder }) => recorder?.save() ?? []);
      return saving.length === 0 ? undefined : Promise.all(saving).then(() => {});
    },
    async findId(agentSessionId) {
      await Promise.allSettled(kept.map(({ saved }) => saved));
      // Whoever leaves was told already that nothing is kept.
      const sessions = await openRecords()
        .list()
        .catch(() => []);
      const id = find(sessions, agentSessionId)?.id;
      return id === undefined ? undefined : shortIds(sessions)(id);
    },
    async rename(agentSessionId, title) {
      await Promise.allSettled(kept.map(({ saved }) => saved));
      const found = find(await openRecords().list(), agentSessionId);
      if (!found) return false;
      const renamed = await openRecords().rename(found, title);
      for (const entry of kept)
        if (entry.saved && entry.session.id === agentSessionId) entry.saved = Promise.resolve(renamed);
      return true;
    },
    async close() {
      for (const entry of kept) {
        const { session } = entry;
        await entry.recorder?.save();
        const found = await entry.saved?.catch(() => undefined);
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
        }
        await entry.owner?.[Symbol.asyncDispose]();
      }
      await records?.[Symbol.asyncDispose]();
    },
  };
}

interface Kept {
  readonly session: ClientSession;
  recorder: SessionRecorder | undefined;
  saved: Promise<SavedSession> | undefined;
  owner: RecordOwner | undefined;
}
