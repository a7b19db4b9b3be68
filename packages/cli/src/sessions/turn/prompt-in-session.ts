import { isDeepStrictEqual } from 'node:util';
import { type ClientSession, formatAddress, type PromptContent } from '@parley/client';
import { META } from '@parley/session';
import type { CliContext } from '../../context.ts';
import { type RunSettings, readRunSettings } from '../../run/settings/run-settings.ts';
import type { SessionMeta } from '../../run/settings/session-meta.ts';
import { startRun } from '../../run/start-run.ts';
import { shortLine } from '../../terminal/text/clean-text.ts';
import type { ChosenSession } from '../choice/choose-session.ts';
import type { RecordOwner } from '../records/record-owner.ts';
import { isOwn, type SavedSession } from '../records/saved-session.ts';
import { recordSession, type SessionRecorder } from '../records/session-recorder.ts';
import type { NewSaved, SessionRecords } from '../records/session-records.ts';
import { eventsOfTranscript } from '../records/transcript-of.ts';
import { takeTurn } from './take-turn.ts';

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
    const turn = await takeTurn(records, saved, { prompt, run });
    if (turn.isRunElsewhere) opened = saved;
    else {
      await using _owner = turn.owner;
      await using connection = await run.connect();
      const session = await run.open(connection, (await records.get(saved.id)) ?? saved);
      opened = await keepFacts(records, saved, session, settings.session.meta);
      if (turn.owner && !isOwn(saved)) {
        recorder = await startRecording(turn.owner, opened, session);
        recorder.expect(turn.input);
        turn.owner.serve(session);
      }
      // Our own agent can have its session at work elsewhere; the prompt then waits in the session's log.
      if (isOwn(saved)) await turn.owner?.[Symbol.asyncDispose]();
      const { stopReason } = await run.prompt(session, prompt, isOwn(saved) ? { [META.whenBusy]: 'queue' } : undefined);
      const title = saved.title ?? session.transcript.title ?? titleOf(prompt);
      await records.update(opened, { lastStopReason: stopReason, ...(title !== undefined && { title }) });
    }
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
  owner: RecordOwner,
  saved: SavedSession,
  session: ClientSession,
): Promise<SessionRecorder> {
  if (saved.events === 0) await owner.append(eventsOfTranscript(session.transcript));
  return recordSession(session, (events) => owner.append(events));
}

/** Longest title that is made of a prompt. */
const MAX_TITLE_CHARACTERS = 70;

function titleOf(prompt: PromptContent): string | undefined {
  const [first] = Array.isArray(prompt) ? prompt : [prompt];
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : undefined;
  return text === undefined ? undefined : shortLine(text, MAX_TITLE_CHARACTERS);
}
