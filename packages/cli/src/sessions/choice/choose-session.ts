import { resolve } from 'node:path';
import { CliError, usageError } from '@parley/host/command-line';
import { OWN_AGENT } from '../../agents/resolve-agent.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { CliContext } from '../../context.ts';
import type { SharedFlags } from '../../flags/shared-flags.ts';
import type { SavedSession } from '../records/saved-session.ts';
import { openRecords, type StoreFlags } from '../records/server-store.ts';
import type { SessionRecords } from '../records/session-records.ts';
import { findSession, latestSession, type Scope } from './find-session.ts';

export interface SessionFlags extends SharedFlags, Omit<StoreFlags, 'agent'> {
  readonly session?: string;
}

/** The records, the session that the flags mean, and the flags with its agent and folder. */
export interface ChosenSession extends AsyncDisposable {
  readonly records: SessionRecords;
  readonly session: SavedSession | undefined;
  readonly flags: SessionFlags;
  readonly cwd: string;
}

/** Finds the session of `-s`, else the last one that was used here. */
export async function chooseSession(
  flags: SessionFlags,
  context: CliContext,
  { mayBegin = false }: Pick<Scope, 'mayBegin'> = {},
): Promise<ChosenSession> {
  const cwd = resolve(context.cwd, flags.cwd ?? '.');
  const { config, places } = await loadConfig(context, cwd);
  const records = openRecords(flags, places, context);
  try {
    const sessions = await records.list();
    const agent = flags.agent ?? config.defaultAgent ?? OWN_AGENT;
    const session =
      flags.session === undefined
        ? latestSession(sessions, { cwd, agent, hasUnrecorded: flags.store !== undefined })
        : findSession(sessions, flags.session, { cwd, agent: flags.agent, mayBegin });
    if (session && flags.agent !== undefined && session.agent !== flags.agent) {
      throw usageError(`The session "${flags.session}" belongs to ${session.agent}, not to ${flags.agent}.`);
    }
    return {
      records,
      session,
      cwd,
      flags: session ? { ...flags, agent: session.agent, cwd: session.cwd } : flags,
      [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
    };
  } catch (error) {
    await records[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same, where there has to be one. */
export async function requireSession(
  flags: SessionFlags,
  context: CliContext,
): Promise<ChosenSession & { readonly session: SavedSession }> {
  const chosen = await chooseSession(flags, context);
  const { session } = chosen;
  if (session) return { ...chosen, session };
  await chosen[Symbol.asyncDispose]();
  throw new CliError('no_session', `There is no saved session in ${chosen.cwd}.`, {
    next: ['parley prompt "..."', 'parley sessions list --all'],
  });
}
