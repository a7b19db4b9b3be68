import { CliError } from '@parley/host/command-line';
import type { NewEvent } from '@parley/store';
import type { CliContext } from '../context.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { withAgent } from '../run/with-session.ts';
import { requireSession, type SessionFlags } from './choice/choose-session.ts';
import { isOwn } from './records/saved-session.ts';
import { factsOf } from './turn/prompt-in-session.ts';

/** Makes a new session in the agent that knows what another one knew, and writes it down. */
export async function forkSession(
  flags: SessionFlags & { readonly name?: string },
  context: CliContext,
): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { records, session: saved } = chosen;
  const { agentSessionId } = saved;
  if (agentSessionId === undefined)
    throw new CliError('no_session', 'This session has not begun yet; there is nothing to copy.');
  const settings = await readRunSettings(chosen.flags, context, { keptMeta: saved.meta });
  const forkedId = await withAgent({ settings }, context, async (connection) => {
    const forked = await connection.forkSession(agentSessionId, settings.session);
    return forked.id;
  });
  const { settings: options, mode, title } = saved;
  const facts = {
    ...factsOf(settings, flags.name),
    agentSessionId: forkedId,
    settings: options,
    title: title ?? undefined,
    ...(mode !== undefined && { mode }),
  };
  const events: NewEvent[] = [];
  if (!isOwn(saved))
    for await (const { kind, body, timeMs } of records.read(saved)) events.push({ kind, body, timeMs });
  const copy = await records.create(facts, events);
  context.stdout.write(
    flags.format === 'json'
      ? `${JSON.stringify({ schema: 1, session: copy.id, agentSessionId: forkedId })}\n`
      : `${copy.id}\n`,
  );
}
