import { isDeepStrictEqual } from 'node:util';
import {
  type AgentConnection,
  type ClientSession,
  formatAddress,
  type PromptContent,
  type PromptOptions,
} from '@parley/client';
import { META } from '@parley/session';
import { shortLine } from '@parley/terminal';
import type { CliContext } from '../../context.ts';
import type { Hosting } from '../../hosting/hosting.ts';
import { type RunSettings, readRunSettings } from '../../run/settings/run-settings.ts';
import type { SessionMeta } from '../../run/settings/session-meta.ts';
import { type Run, startRun } from '../../run/start-run.ts';
import type { ChosenSession } from '../choice/choose-session.ts';
import { claimOpening } from '../records/claim-opening.ts';
import { isOwn, type SavedSession } from '../records/saved-session.ts';
import { cancelLine } from '../records/server-store.ts';
import type { NewSaved, SessionRecords } from '../records/session-records.ts';

export interface SessionPrompt {
  readonly chosen: ChosenSession;
  readonly prompt: PromptContent;
  readonly options?: Readonly<Record<string, string>>;
  /** For a session that is to be made. */
  readonly name?: string | undefined;
  /** Sends it into the turn that runs, where the agent can. */
  readonly steers?: boolean | undefined;
}

/**
 * Prompts in a saved session, or in a new one that is saved; resolves to the exit code. While another process works in the session, the
 * prompt waits in its log, and what comes of it is shown here.
 */
export async function promptInSession(request: SessionPrompt, context: CliContext): Promise<number> {
  const { chosen, prompt, options, steers } = request;
  const { records } = chosen;
  const settings = await readRunSettings(chosen.flags, context, {
    ...(options && { options }),
    keptMeta: chosen.session?.meta,
  });
  const saved = chosen.session ?? (await createSaved(records, settings, request.name));
  let opened: SavedSession | undefined;
  await using run = await startRun(settings, context, { hosting: hostingFor(saved, records) });
  try {
    const wait = (name = 'another process'): void => run.say(wordWait(name, cancelLine(saved.id), steers));
    if (saved.worker?.isThere) wait(saved.worker.name);
    const { signal } = run;
    await using claim = await claimOpening(records, saved, { signal, onWait: (worker) => wait(worker?.name) });
    // Turns of other processes are not this prompt's to show.
    await using connection = await run.connect(OWN_TURNS);
    const session = await run.open(connection, await records.withLog(claim.session ?? saved));
    opened = await keepFacts(records, claim.session ?? saved, session, settings.session.meta);
    await claim[Symbol.asyncDispose]();
    const { stopReason } = await run.prompt(session, prompt, whenBusy(connection, { run, steers }));
    const title = saved.title ?? session.transcript.title ?? titleOf(prompt);
    await records.update(opened, { lastStopReason: stopReason, ...(title !== undefined && { title }) });
  } catch (error) {
    run.fail(error);
  }
  const code = await run.finish();
  // A session that was never opened is nothing to come back to.
  if (!chosen.session && !opened) await records.remove(saved);
  else if (!chosen.session && !settings.output.isQuietAboutProgress) context.stderr.write(`session ${saved.id}\n`);
  return code;
}

/** How sessions of an agent are kept: our own keeps them itself. */
export function hostingFor(
  saved: Pick<SavedSession, 'agent'>,
  { store }: Pick<SessionRecords, 'store'>,
): Hosting | undefined {
  return isOwn(saved) ? undefined : { store, reserves: 'opening' };
}

/** Has the agent tell this process only of the turns that it asks for. */
export const OWN_TURNS: Readonly<Record<string, unknown>> = { [META.ownTurnsOnly]: true };

/** What a person is told who has to wait for whoever works in the session. */
export function wordWait(name: string, cancel: string, steers = false): string {
  return steers
    ? `sent to ${name}, which works in this session: into its turn, where the agent can, else behind it (${cancel})`
    : `waiting for ${name}, which works in this session (${cancel})`;
}

/** How a prompt is sent to an agent that may be at work in the session for somebody else. */
export function whenBusy(
  { offers }: AgentConnection,
  { run, steers = false }: Pick<SessionPrompt, 'steers'> & { readonly run: Run },
): Pick<PromptOptions, 'meta' | 'whenBusy'> {
  // A turn that this process has not heard of is the agent's to find.
  if (steers && offers.steer) return { whenBusy: 'steer', meta: { [META.whenBusy]: 'steer' } };
  if (steers) run.say('the agent takes no message into a running turn; this is a prompt of its own');
  return { meta: { [META.whenBusy]: 'queue' } };
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

/** Writes down the id of a session that was just made, and what was asked of the agent in it. */
export async function keepFacts(
  records: SessionRecords,
  saved: SavedSession,
  session: ClientSession,
  meta: SessionMeta | undefined = saved.meta,
): Promise<SavedSession> {
  const isKept = saved.logId === session.id && saved.isRecorded && isDeepStrictEqual(saved.meta, meta);
  if (isKept) return saved;
  return records.update(saved, isOwn(saved) ? { agentSessionId: session.id, meta } : { hosted: session.id, meta });
}

/** Longest title that is made of a prompt. */
const MAX_TITLE_CHARACTERS = 70;

function titleOf(prompt: PromptContent): string | undefined {
  const [first] = Array.isArray(prompt) ? prompt : [prompt];
  const text = typeof first === 'string' ? first : first?.type === 'text' ? first.text : undefined;
  return text === undefined ? undefined : shortLine(text, MAX_TITLE_CHARACTERS);
}
