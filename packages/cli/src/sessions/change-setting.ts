import type { ClientSession } from '@parley/client';
import type { CliContext } from '../context.ts';
import { readRunSettings, sessionOptions } from '../run/run-settings.ts';
import { withKeptMeta } from '../run/session-meta.ts';
import { withSession } from '../run/with-session.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { openSaved } from './open-saved.ts';
import { keepFacts } from './prompt-in-session.ts';
import { claimSession } from './run-records.ts';

export interface SettingChange {
  readonly key: string;
  readonly value: string;
  readonly flags: SessionFlags;
}

/** Opens a saved session in its agent, changes a setting, and writes it down so that it holds the next time. */
export async function changeSetting({ key, value, flags }: SettingChange, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { shelf, session: saved } = chosen;
  const settings = withKeptMeta(await readRunSettings(chosen.flags, context), saved);
  const change = await withSession(
    {
      settings,
      prepare: async (signal, say) => {
        const onWait = ({ pid }: { pid: number }): void =>
          say(`waiting for process ${pid}, which works in this session`);
        const claim = await claimSession({
          places: settings.loaded.places,
          sessionId: saved.id,
          agent: saved.agent,
          signal,
          onWait,
        });
        return { [Symbol.asyncDispose]: claim.release };
      },
      open: (connection) => openSaved(connection, saved, sessionOptions(settings)),
      work: async (session) => {
        const kept = await keepFacts(shelf, saved, session, settings.meta);
        const facts = await apply(session, key, value);
        await shelf.update(kept, 'mode' in facts ? facts : { settings: { ...kept.settings, ...facts.settings } });
        return facts;
      },
    },
    context,
  );
  const shown = 'mode' in change ? ['mode', change.mode] : (Object.entries(change.settings)[0] ?? [key, value]);
  context.stdout.write(`${shown[0]} is ${shown[1]}\n`);
}

type Change = { readonly mode: string } | { readonly settings: Readonly<Record<string, string | boolean>> };

async function apply(session: ClientSession, key: string, value: string): Promise<Change> {
  const { options } = session.transcript;
  const option = options.find(({ id }) => id === key) ?? options.find(({ category }) => category === key);
  if (key === 'mode' && session.transcript.mode) {
    await session.setMode(value);
    return { mode: value };
  }
  const typed = option?.type === 'boolean' ? value === 'true' || value === 'on' : value;
  await session.setOption(option?.id ?? key, typed);
  return { settings: { [option?.id ?? key]: typed } };
}
