import { type ClientSession, formatAddress } from '@parley/client';
import type { RunSettings } from '../run/run-settings.ts';
import { type Claim, tryClaim } from './run-records.ts';
import { isOwn, type SavedSession } from './saved-session.ts';
import { recordSession, type SessionRecorder } from './session-recorder.ts';
import { SessionShelf } from './session-shelf.ts';
import { eventsOfTranscript } from './transcript-of.ts';

/** Keeps the sessions of a chat, so that they are found again. */
export interface ChatKeeper {
  onSession(session: ClientSession): void;
  /** Resolves when everything that was told so far is on disk; undefined when it is. */
  save(): Promise<void> | undefined;
  /** Writes what is left and lets go of everything. */
  close(): Promise<void>;
}

/**
 * A session is kept from its first turn on: one in which nothing was said is nothing to come back to. While the chat is
 * open, others see that this process works in it.
 */
export function createChatKeeper(settings: RunSettings): ChatKeeper {
  const { places } = settings;
  const agent = settings.agent.name;
  let shelf: SessionShelf | undefined;
  const kept: Kept[] = [];

  const openShelf = (): SessionShelf => {
    shelf ??= new SessionShelf(places);
    return shelf;
  };
  const save = async (session: ClientSession): Promise<SavedSession> => {
    const sessions = await openShelf().list();
    const known = sessions.find(
      (each) => each.agentSessionId === session.id && each.agent === agent && each.isRecorded,
    );
    return (
      known ??
      (await openShelf().create({
        agent,
        command: formatAddress(settings.agent.address),
        agentSessionId: session.id,
        cwd: session.cwd,
      }))
    );
  };

  return {
    onSession(session) {
      const entry: Kept = { session, recorder: undefined, saved: undefined, claim: undefined };
      const base = eventsOfTranscript(session.transcript);
      const ensure = (): Promise<SavedSession> => {
        entry.saved ??= save(session).then(async (saved) => {
          entry.claim = await tryClaim(places, { sessionId: saved.id, agent });
          if (!isOwn(saved) && saved.events === 0) await openShelf().append(saved, base);
          return saved;
        });
        return entry.saved;
      };
      kept.push(entry);
      if (isOwn({ agent })) {
        // Our own agent writes its log itself; here it only has to be found again.
        session.on('event', ({ type }) => type === 'turn_started' && ensure().catch(() => {}));
        return;
      }
      entry.recorder = recordSession(session, async (events) => {
        // A chat goes on though it cannot be kept.
        await ensure()
          .then((saved) => openShelf().append(saved, events))
          .catch(() => {});
      });
    },
    save() {
      const saving = kept.flatMap(({ recorder }) => recorder?.save() ?? []);
      return saving.length === 0 ? undefined : Promise.all(saving).then(() => {});
    },
    async close() {
      for (const entry of kept) {
        const { session } = entry;
        await entry.recorder?.save();
        const found = await entry.saved?.catch(() => undefined);
        const { title, turns } = session.transcript;
        const stopReason = turns.at(-1)?.stopReason;
        if (found) {
          await shelf?.update(found, {
            ...(title !== undefined && { title }),
            ...(stopReason !== undefined && { lastStopReason: stopReason }),
          });
        }
        await entry.claim?.release();
      }
      await shelf?.[Symbol.asyncDispose]();
    },
  };
}

interface Kept {
  readonly session: ClientSession;
  recorder: SessionRecorder | undefined;
  saved: Promise<SavedSession> | undefined;
  claim: Claim | undefined;
}
