import { isDeepStrictEqual } from 'node:util';
import { type ClientSession, formatAddress, type PromptContent } from '@parley/client';
import type { CliContext } from '../context.ts';
import { printableLine } from '../output/printable.ts';
import { runPrompt } from '../run/run-prompt.ts';
import { type RunSettings, readRunSettings, sessionOptions } from '../run/run-settings.ts';
import { type SessionMeta, withKeptMeta } from '../run/session-meta.ts';
import type { ChosenSession } from './choose-session.ts';
import { openSaved } from './open-saved.ts';
import { claimSession } from './run-records.ts';
import { isOwn, type SavedSession } from './saved-session.ts';
import { recordSession, type SessionRecorder } from './session-recorder.ts';
import type { NewSaved, SessionShelf } from './session-shelf.ts';
import { eventsOfTranscript } from './transcript-of.ts';

export interface SessionPrompt {
  readonly chosen: ChosenSession;
  readonly prompt: PromptContent;
  readonly options?: Readonly<Record<string, string>>;
  /** For a session that is to be made. */
  readonly name?: string | undefined;
}

/** Prompts in a saved session, or in a new one that is saved; resolves to the exit code. */
export async function promptInSession(request: SessionPrompt, context: CliContext): Promise<number> {
  const { chosen, prompt, options = {} } = request;
  const { shelf } = chosen;
  const settings = withKeptMeta(await readRunSettings(chosen.flags, context), chosen.session);
  const saved = chosen.session ?? (await createSaved(shelf, settings, request.name));
  let current = saved;
  let recorder: SessionRecorder | undefined;
  const code = await runPrompt(
    {
      settings,
      prompt,
      options,
      prepare: async (signal, say) => {
        const claim = await claimSession({
          places: settings.loaded.places,
          sessionId: saved.id,
          agent: saved.agent,
          signal,
          onWait: ({ pid }) =>
            say(`waiting for process ${pid}, which works in this session (parley cancel -s ${saved.id})`),
        });
        return { [Symbol.asyncDispose]: claim.release };
      },
      open: (connection) => openSaved(connection, saved, sessionOptions(settings)),
      onReady: async (session) => {
        current = await keepFacts(shelf, saved, session, settings.meta);
        recorder = isOwn(saved) ? undefined : await startRecording(shelf, current, session);
      },
      save: isOwn(saved) ? undefined : () => recorder?.save(),
      onTurnEnd: async (session, { stopReason }) => {
        const title = saved.title ?? session.transcript.title ?? titleOf(prompt);
        current = await shelf.update(current, { lastStopReason: stopReason, ...(title !== undefined && { title }) });
      },
    },
    context,
  );
  await recorder?.save();
  // A session that was never opened is nothing to come back to.
  if (!chosen.session && current.agentSessionId === undefined) await shelf.remove(saved);
  else if (!chosen.session && !settings.isQuietAboutProgress) context.stderr.write(`session ${saved.id}\n`);
  return code;
}

export function createSaved(
  shelf: SessionShelf,
  settings: RunSettings,
  name: string | undefined,
): Promise<SavedSession> {
  return shelf.create(factsOf(settings, name));
}

/** What is written down of a session before it is opened. */
export function factsOf({ agent, cwd, meta }: RunSettings, name: string | undefined): NewSaved {
  return { agent: agent.name, command: formatAddress(agent.address), cwd, name, meta };
}

/** Writes down the agent's id of a session that was just made, and makes the settings again that were made before. */
export async function keepFacts(
  shelf: SessionShelf,
  saved: SavedSession,
  session: ClientSession,
  meta: SessionMeta | undefined = saved.meta,
): Promise<SavedSession> {
  const { options, mode } = session.transcript;
  if (saved.mode !== undefined && mode !== undefined && mode.currentModeId !== saved.mode)
    await session.setMode(saved.mode);
  for (const [id, value] of Object.entries(saved.settings)) {
    const option = options.find((each) => each.id === id);
    if (option && option.currentValue !== value) await session.setOption(id, value);
  }
  const isKept = saved.agentSessionId === session.id && saved.isRecorded && isDeepStrictEqual(saved.meta, meta);
  return isKept ? saved : shelf.update(saved, { agentSessionId: session.id, meta });
}

/** From now on everything is written down; what the agent has told on load is, too, where there is nothing yet. */
async function startRecording(
  shelf: SessionShelf,
  saved: SavedSession,
  session: ClientSession,
): Promise<SessionRecorder> {
  if (saved.events === 0) await shelf.append(saved, eventsOfTranscript(session.transcript));
  return recordSession(session, (events) => shelf.append(saved, events));
}

/** Longest title that is made of a prompt. */
const MAX_TITLE_CHARACTERS = 70;

function titleOf(prompt: PromptContent): string | undefined {
  const [first] = Array.isArray(prompt) ? prompt : [prompt];
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : undefined;
  return text === undefined ? undefined : printableLine(text, MAX_TITLE_CHARACTERS);
}
