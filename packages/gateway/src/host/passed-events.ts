import type { TranscriptEvent } from '@parley/client';
import type { SessionEvent, StateEvent } from '@parley/session';

/** What this side of the wire adds to a transcript, or tells by itself. */
const OWN: ReadonlySet<TranscriptEvent['type']> = new Set<TranscriptEvent['type']>([
  'question',
  'answer',
  'turn_started',
  'turn_cancelling',
  'turn_ended',
  'turn_failed',
  'replay_started',
  'replay_ended',
  'modes',
  'cleared',
  'session_replaced',
  'connection_lost',
  'connection_restored',
  // What a session is doing is told by whoever has its log.
  'state',
]);

/** An event of the agent that is passed on as it came. */
export type PassedEvent = Exclude<SessionEvent, StateEvent>;

/** Whether an event is the agent's, to be passed on as it came. */
export function isPassedOn(event: TranscriptEvent): event is PassedEvent {
  return !OWN.has(event.type);
}

/** Whether an event tells how a session is set up, and not what is said in it. */
export function isSetup({ type }: SessionEvent): boolean {
  return type === 'mode' || type === 'config' || type === 'commands';
}
