import { applySettings } from '@parley/client';
import type { CliContext } from '../../context.ts';
import { readRunSettings } from '../../run/settings/run-settings.ts';
import { withSession } from '../../run/with-session.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { claimOpening } from '../records/claim-opening.ts';
import { hostingFor, keepFacts } from './prompt-in-session.ts';

export interface SettingChange {
  readonly key: string;
  readonly value: string;
  readonly flags: SessionFlags;
}

/**
 * Opens a saved session in its agent, changes a setting, and writes it down so that it holds the next time. Where another process works
 * in the session, that process changes it.
 */
export async function changeSetting({ key, value, flags }: SettingChange, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { records, session: found } = chosen;
  const settings = await readRunSettings(chosen.flags, context, { keptMeta: found.meta });
  await using claim = await claimOpening(records, found);
  const saved = await records.withLog(claim.session ?? found);
  const { mode, settings: options } = await withSession(
    {
      settings,
      hosting: hostingFor(saved, records),
      stored: saved,
      work: async (session) => {
        const applied = await applySettings(session, { settings: { [key]: value } });
        const kept = await keepFacts(records, saved, session, settings.session.meta);
        await records.update(kept, {
          ...(applied.mode !== undefined && { mode: applied.mode }),
          settings: { ...kept.settings, ...applied.settings },
        });
        return applied;
      },
    },
    context,
  );
  const [name, made] = mode === undefined ? (Object.entries(options)[0] ?? [key, value]) : ['mode', mode];
  context.stdout.write(`${name} is ${made}\n`);
}
