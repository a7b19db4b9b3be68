import type { CancellablePart } from '@parley/session';
import type { LiveSession } from './live-session.ts';

/**
 * Asks for the end of one tool call or terminal, in whichever process its turn runs. False: it is unknown, has ended, or cannot be
 * cancelled by itself.
 */
export async function cancelPart(session: LiveSession, part: CancellablePart, by: string): Promise<boolean> {
  const { turns, requests, shared } = session;
  if (turns.running || !requests) return turns.running?.cancelPart(part) ?? false;
  if (!(await shared?.catchUp())) return false;
  try {
    await requests.act({ type: 'cancel_part', part, by });
    return true;
  } catch {
    return false;
  }
}
