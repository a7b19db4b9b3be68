import type { Entry, Transcript } from '@parley/client';
import { readNoticeMark } from '@parley/session';

/** Whether a notice tells what is about to happen, as that something is tried again, in a turn that is over or is being stopped. */
export function isPassedNotice(entry: Entry, { state, turns }: Pick<Transcript, 'state' | 'turns'>): boolean {
  if (entry.type !== 'notice' || !readNoticeMark(entry)?.isOpen) return false;
  if (state === 'idle' || state === 'cancelling') return true;
  return entry.turn === undefined ? entry.origin === 'replay' : turns.at(entry.turn)?.status !== 'running';
}
