import { isDeepStrictEqual } from 'node:util';
import { type ClientSession, formatAddress, type PromptContent } from '@parley/client';
import type { CliContext } from '../context.ts';
import { type RunSettings, readRunSettings } from '../run/settings/run-settings.ts';
import type { SessionMeta } from '../run/settings/session-meta.ts';
import { startRun } from '../run/start-run.ts';
import { shortLine } from '../terminal/text/clean-text.ts';
import type { ChosenSession } from './choose-session.ts';
import { claimSession } from './run-records.ts';
import { isOwn, type SavedSession } from './saved-session.ts';
import { recordSession, type SessionRecorder } from './session-recorder.ts';
import type { NewSaved, SessionRecords } from './session-records.ts';
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
  const { chosen, prompt, options } = request;
  const { records } = chosen;
  const settings = await readRunSettings(chosen.flags, context, {
    ...(options && { options }),
    keptMeta: chosen.session?.meta,
  });
  const saved = chosen.session ?? (await createSaved(records, settings, request.name));
  let recorder: SessionRecorder | undefined;
  let opened: SavedSession | undefined;
  await using run = await startRun(settings, context, isOwn(saved) ? {} : { save: () => recorder?.save() });
  try {
    await using _claim = await claimFor(saved, settings, run);
    await using connection = await run.connect();
    const session = await run.open(connection, saved);
    opened = await keepFacts(records, saved, session, settings.session.meta);
    if (!isOwn(saved)) recorder = await startRecording(records, opened, session);
    const { stopReason } = await run.prompt(session, prompt);
    const title = saved.title ?? session.transcript.title ?? titleOf(prompt);
    await records.update(opened, { lastStopReason: stopReason, ...(title !== undefined && { title }) });
  } catch (error) {
    run.fail(error);
  }
  const code = await run.finish();
  await recorder?.save();
  // A session that was never opened is nothing to come back to.
  if (!chosen.session && !opened) await records.remove(saved);
  else if (!chosen.session && !settings.output.isQuietAboutProgress) context.stderr.write(`session ${saved.id}\n`);
  return code;
}

/** Waits until no other process works in the session, and lets none do so until it is disposed. */
export async function claimFor(
  { id, agent }: SavedSession,
  { places }: Pick<RunSettings, 'places'>,
  run: { readonly signal: AbortSignal; say(text: string): void },
): Promise<AsyncDisposable> {
  const claim = await claimSession({
    places,
    sessionId: id,
    agent,
    signal: run.signal,
    onWait: ({ pid }) => run.say(`waiting for process ${pid}, which works in this session (parley cancel -s ${id})`),
  });
  return { [Symbol.asyncDispose]: claim.release };
}

export function createSaved(
  records: SessionRecords,
  settings: RunSettings,
  name: string | undefined,
): Promise<SavedSession> {
  return records.create(factsOf(settings, name));
}

/** What is written down of a session before it is opened. */
export function factsOf({ agent, session: { cwd, meta } }: RunSettings, name: string | undefined): NewSaved {
  return { agent: agent.name, command: formatAddress(agent.address), cwd, name, meta };
}

/** Writes down the agent's id of a session that was just made, and what was asked of the agent in it. */
export async function keepFacts(
  records: SessionRecords,
  saved: SavedSession,
  session: ClientSession,
  meta: SessionMeta | undefined = saved.meta,
): Promise<SavedSession> {
  const isKept = saved.agentSessionId === session.id && saved.isRecorded && isDeepStrictEqual(saved.meta, meta);
  return isKept ? saved : records.update(saved, { agentSessionId: session.id, meta });
}

/** From now on everything is written down; what the agent has told on load is, too, where there is nothing yet. */
async function startRecording(
  records: SessionRecords,
  saved: SavedSession,
  session: ClientSession,
): Promise<SessionRecorder> {
  if (saved.events === 0) await records.append(saved, eventsOfTranscript(session.transcript));
  return recordSession(session, (events) => records.append(saved, events));
}

/** Longest title that is made of a prompt. */
const MAX_TITLE_CHARACTERS = 70;

function titleOf(prompt: PromptContent): string | undefined {
  const [first] = Array.isArray(prompt) ? prompt : [prompt];
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : undefined;
  return text === undefined ? undefined : shortLine(text, MAX_TITLE_CHARACTERS);
}
