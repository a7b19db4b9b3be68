import { existsSync } from 'node:fs';
import type { Place } from '@parley/policy';
import type { Places } from '../places.ts';
import { createRememberedFile, rememberedFile } from './remembered-file.ts';

/** Forgets what was answered with "always" for a session that has ended, or is another one with the same id. */
export async function forgetAnswers(places: Places, place: Required<Place>): Promise<void> {
  const path = rememberedFile(places);
  if (!existsSync(path)) return;
  const { forgetSession } = await import('@parley/policy');
  await forgetSession(createRememberedFile(path, place.agent), place);
}

/** The same for a saved session; one that was never opened has none. */
export async function forgetAnswersIn(
  places: Places,
  { agent, cwd, agentSessionId, logId }: SessionPlace,
): Promise<void> {
  for (const sessionId of new Set([agentSessionId, logId]))
    if (sessionId !== undefined) await forgetAnswers(places, { agent, project: cwd, sessionId });
}

interface SessionPlace {
  readonly agent: string;
  readonly cwd: string;
  readonly agentSessionId?: string;
  readonly logId?: string;
}
