import { cutPrompt, type PastTurn } from '@parley/chat/view';
import { isSteered, readEntry, type SessionEvent, type TurnEnded } from '@parley/session';
import type { LoggedEvent } from '@parley/store';

/** How the turns of a saved conversation ended, oldest first. */
export async function readPastTurns(events: AsyncIterable<LoggedEvent>): Promise<readonly PastTurn[]> {
  const turns: PastTurn[] = [];
  let open: OpenTurn | undefined;
  for await (const logged of events) {
    const entry = readEntry(logged);
    if (entry?.type === 'turn_started') {
      open = { startedAt: logged.timeMs, prompt: '', running: new Set(), failedLast: new Set() };
    } else if (open && entry?.type === 'turn_ended' && !entry.neverBegan) {
      turns.push(endOf(open, entry, logged.timeMs));
      open = undefined;
    } else if (open && entry?.type === 'event') follow(open, entry.event);
  }
  return turns;
}

interface OpenTurn {
  readonly startedAt: number;
  prompt: string;
  readonly running: Set<string>;
  /** Calls that have failed, and nothing else has happened since. */
  readonly failedLast: Set<string>;
}

function follow(turn: OpenTurn, event: SessionEvent): void {
  if (event.type === 'tool_call') {
    const { toolCallId, status } = event;
    if (status === 'failed') turn.failedLast.add(toolCallId);
    else turn.failedLast.clear();
    if (status === 'completed' || status === 'failed') turn.running.delete(toolCallId);
    else if (status !== undefined) turn.running.add(toolCallId);
    return;
  }
  turn.failedLast.clear();
  if (event.type !== 'message_chunk') return;
  const { speaker, content } = event;
  if (speaker === 'user' && content.type === 'text' && !isSteered(event)) turn.prompt += content.text;
}

/** What a cancelled turn left open, or failed as its last act, was cut off: our agent fails the calls that it stops. */
function endOf(turn: OpenTurn, { stopReason = 'end_turn', error }: TurnEnded, endedAt: number): PastTurn {
  const { startedAt, prompt, running, failedLast } = turn;
  return {
    prompt: cutPrompt(prompt),
    end: {
      status: error ? 'failed' : 'ended',
      startedAt,
      endedAt,
      ...(error ? { error: error.message } : { stopReason }),
    },
    cancelledCalls: stopReason === 'cancelled' && !error ? new Set([...running, ...failedLast]) : new Set(),
  };
}
