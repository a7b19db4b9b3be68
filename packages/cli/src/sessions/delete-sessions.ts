import { CliError } from '@parley/host/command-line';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { forgetAnswersIn } from '../permissions/forget-answers.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { withAgent } from '../run/with-session.ts';
import { requireSession, type SessionFlags } from './choice/choose-session.ts';
import { findSession } from './choice/find-session.ts';
import { isOwn, type SavedSession } from './records/saved-session.ts';
import { cancelLine, openRecords, type StoreFlags } from './records/server-store.ts';

/** Hides a session; its name is free again. */
export async function closeSession(flags: SessionFlags, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  await chosen.records.close(chosen.session);
  await forgetAnswersIn((await loadConfig(context)).places, chosen.session);
  context.stdout.write(`closed ${chosen.session.id}\n`);
}

/** Deletes sessions here and, when asked to, in their agents. */
export async function deleteSessions(
  flags: SharedFlags & StoreFlags & { readonly words: readonly string[]; readonly fromAgent?: boolean },
  context: CliContext,
): Promise<void> {
  const { places } = await loadConfig(context);
  await using records = openRecords(flags, places, context);
  const sessions = await records.list();
  const chosen = flags.words.map((word) => findSession(sessions, word, { cwd: context.cwd, agent: flags.agent }));
  for (const session of chosen) {
    const { worker } = session;
    if (worker?.isThere) {
      throw new CliError('not_available', `Another process works in the session ${session.id}: ${worker.name}.`, {
        next: [cancelLine(session.id, flags)],
      });
    }
    if (flags.fromAgent && flags.store === undefined && !isOwn(session)) await deleteFromAgent(session, flags, context);
    await records.remove(session);
    if (flags.store === undefined) await forgetAnswersIn(places, session);
    context.stdout.write(`deleted ${session.id}\n`);
  }
}

async function deleteFromAgent(session: SavedSession, flags: SharedFlags, context: CliContext): Promise<void> {
  const { agentSessionId, agent, cwd } = session;
  if (agentSessionId === undefined) return;
  const settings = await readRunSettings({ ...flags, agent, cwd }, context);
  await withAgent({ settings }, context, async (connection) => {
    if (!connection.offers.deleteSession) {
      throw new CliError(
        'not_available',
        `${agent} cannot delete sessions; without --from-agent it is deleted here only.`,
      );
    }
    await connection.deleteSession(agentSessionId);
  });
}
