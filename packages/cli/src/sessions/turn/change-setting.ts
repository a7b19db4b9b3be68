import { applySettings } from '@parley/client';
import { shellLine } from '@parley/host/terminal';
import type { CliContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { readRunSettings } from '../../run/settings/run-settings.ts';
import { withSession } from '../../run/with-session.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { RecordOwner } from '../records/record-owner.ts';
import { isOwn, type SavedSession } from '../records/saved-session.ts';
import type { SessionRecords } from '../records/session-records.ts';
import type { Worker } from '../records/worker.ts';
import { askOwner } from './ask-owner.ts';
import { keepFacts } from './prompt-in-session.ts';

export interface SettingChange {
  readonly key: string;
  readonly value: string;
  readonly flags: SessionFlags;
}

/** Opens a saved session in its agent, changes a setting, and writes it down so that it holds the next time. */
export async function changeSetting({ key, value, flags }: SettingChange, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { records, session: saved } = chosen;
  const settings = await readRunSettings(chosen.flags, context, { keptMeta: saved.meta });
  if (!isOwn(saved) && saved.worker?.isThere) {
    await changeElsewhere(records, saved, { key, value });
    return void context.stdout.write(`${key} is ${value}\n`);
  }
  const { mode, settings: options } = await withSession(
    {
      settings,
      prepare: async (signal, say) => {
        const onWait = (worker: Worker | undefined): void =>
          say(`waiting for ${worker?.name ?? 'another process'}, which works in this session`);
        // Our own agent owns its sessions itself.
        return isOwn(saved)
          ? { async [Symbol.asyncDispose]() {} }
          : RecordOwner.own(records, saved, { signal, onWait });
      },
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

/** How long the process that works in the session may take. */
const CHANGE_TIMEOUT_MS = 30_000;

/** Asks the process that works in the session, and writes it down so that it holds the next time. */
async function changeElsewhere(
  records: SessionRecords,
  saved: SavedSession,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<void> {
  const place = records.logOf(saved);
  const taken =
    place &&
    (await askOwner(
      place,
      { type: 'change', id: key, value, by: 'parley set' },
      { isDone: (entry, asked) => entry.type === 'input_taken' && entry.seq === asked, timeoutMs: CHANGE_TIMEOUT_MS },
    ));
  if (taken?.type !== 'input_taken')
    throw new CliError('timeout', `${saved.worker?.name ?? 'The other process'} does not react.`, {
      next: [shellLine`parley cancel -s ${saved.id}`],
    });
  if (taken.error !== undefined) throw new CliError('usage', taken.error);
  const change = key === 'mode' ? { mode: value } : { settings: { ...saved.settings, [key]: value } };
  await records.update(saved, change);
}
