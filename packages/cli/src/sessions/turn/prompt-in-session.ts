import { isDeepStrictEqual } from 'node:util';
import {
  type AgentConnection,
  type ClientSession,
  formatAddress,
  type PromptContent,
  type PromptOptions,
  type Turn,
} from '@parley/client';
import { META } from '@parley/session';
import { shortLine } from '@parley/terminal';
import type { CliContext } from '../../context.ts';
import { type RunSettings, readRunSettings } from '../../run/settings/run-settings.ts';
import type { SessionMeta } from '../../run/settings/session-meta.ts';
import { type Run, startRun } from '../../run/start-run.ts';
import type { ChosenSession } from '../choice/choose-session.ts';
import { promptAsAsked, type RecordOwner } from '../records/record-owner.ts';
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
  /** Sends it into the turn that runs, where the agent can. */
  readonly steers?: boolean | undefined;
}

/** Prompts in a saved session, or in a new one that is saved; resolves to the exit code. */
export async function promptInSession(request: SessionPrompt, context: CliContext): Promise<number> {
  const { chosen, prompt, options, steers } = request;
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
    const turn = await takeTurn(records, saved, { prompt, run, steers });
    if (turn.isRunElsewhere) opened = saved;
    else {
      await using _owner = turn.owner;
      // What others do in a session of our own agent is not this prompt's to show.
      await using connection = await run.connect(isOwn(saved) ? OWN_TURNS : undefined);
      const session = await run.open(connection, (await records.get(saved.id)) ?? saved);
      opened = await keepFacts(records, saved, session, settings.session.meta);
      if (turn.owner && !isOwn(saved)) {
        recorder = await startRecording(turn.owner, opened, session);
        recorder.expect(turn.input);
      }
      // Our own agent can have its session at work elsewhere; the prompt then waits in the session's log.
      if (isOwn(saved)) await turn.owner?.[Symbol.asyncDispose]();
      const canQueue = isOwn(saved);
      const prompting = run.prompt(session, prompt, whenBusy(connection, { run, steers, canQueue }));
      // From here on a turn runs, which may take what others send.
      await using _messages = recorder && turn.owner && passMessages(turn.owner, { connection, session, recorder });
      const { stopReason } = await prompting;
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

/** Has our own agent tell this process only of the turns that it asks for. */
export const OWN_TURNS: Readonly<Record<string, unknown>> = { [META.ownTurnsOnly]: true };

/** How a prompt is sent to an agent that may be at work in the session for somebody else. */
export function whenBusy(
  { offers }: AgentConnection,
  { run, steers = false, canQueue }: Pick<SessionPrompt, 'steers'> & { readonly run: Run; readonly canQueue: boolean },
): Pick<PromptOptions, 'meta' | 'whenBusy'> {
  // A turn that this process has not heard of is the agent's to find.
  if (steers && offers.steer) return { whenBusy: 'steer', meta: { [META.whenBusy]: 'steer' } };
  if (steers) run.say('the agent takes no message into a running turn; this is a prompt of its own');
  return canQueue ? { meta: { [META.whenBusy]: 'queue' } } : {};
}

interface PassMessages {
  readonly connection: AgentConnection;
  readonly session: ClientSession;
  readonly recorder: SessionRecorder;
}

/**
 * Passes on what other processes send into the turn that runs here, where the agent can take it. What the turn did not take by its
 * end is withdrawn: the process that sent it is next. Everything else waits for that anyway.
 */
function passMessages(owner: RecordOwner, { connection, session, recorder }: PassMessages): AsyncDisposable {
  const passed: Turn[] = [];
  owner.serve(session, (input, seq) => {
    if (!input.steers || !connection.offers.steer || !session.turn) return undefined;
    recorder.expect(input, seq);
    const turn = promptAsAsked(session, input);
    passed.push(turn);
    return turn;
  });
  return {
    async [Symbol.asyncDispose]() {
      owner.serve(session);
      for (const turn of passed) if (turn.state === 'steering') void turn.cancel();
      await Promise.allSettled(passed.map(({ result }) => result));
    },
  };
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
