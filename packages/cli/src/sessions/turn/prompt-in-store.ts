import type { CliContext } from '../../context.ts';
import { readRunSettings } from '../../run/settings/run-settings.ts';
import { startRun } from '../../run/start-run.ts';
import { shareStore } from '../../stores/share-store.ts';
import { cancelLine } from '../records/server-store.ts';
import { OWN_TURNS, type SessionPrompt, whenBusy, wordWait } from './prompt-in-session.ts';

/**
 * Prompts in a session of a server's store. This process is one more that shares the store: while another works in the session, the
 * prompt waits in its log and what comes of it is shown here; else this process runs the agent, and all that it says is in the store.
 */
export async function promptInStore(request: SessionPrompt, place: string, context: CliContext): Promise<number> {
  const { chosen, prompt, options, steers } = request;
  const { flags, session: stored } = chosen;
  const settings = await readRunSettings(flags, context, options ? { options } : {});
  await using shared = await shareStore({ place, settings, flags }, context);
  await using run = await startRun({ ...settings, source: shared.source }, context);
  let sessionId: string | undefined;
  try {
    await using connection = await run.connect(OWN_TURNS);
    const session = await run.open(connection, stored);
    sessionId = session.id;
    if (stored?.worker?.isThere) run.say(wordWait(stored.worker.name, cancelLine(stored.id, flags), steers));
    await run.prompt(session, prompt, whenBusy(connection, { run, steers }));
  } catch (error) {
    run.fail(error);
  }
  const code = await run.finish();
  if (!stored && sessionId !== undefined && !settings.output.isQuietAboutProgress)
    context.stderr.write(`session ${sessionId}\n`);
  return code;
}
