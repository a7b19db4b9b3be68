import type { ContentBlock, StopReason } from '@parley/protocol';
import type { ToolCallEvent } from '@parley/session';
import type { LoggedEvent } from '@parley/store';
import { cutPrompt, type PastTurn } from '../view/past-turns.ts';

/** How the turns of a saved conversation ended, oldest first. */
export async function readPastTurns(events: AsyncIterable<LoggedEvent>): Promise<readonly PastTurn[]> {
  const turns: PastTurn[] = [];
  let open: OpenTurn | undefined;
  for await (const { kind, body, timeMs } of events) {
    if (kind === 'turn_start') {
      open = { startedAt: timeMs, prompt: '', running: new Set(), failedLast: new Set() };
    } else if (open && kind === 'turn_end') {
      turns.push(endOf(open, (body ?? {}) as TurnEnd, timeMs));
      open = undefined;
    } else if (open) follow(open, kind, body);
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

interface TurnEnd {
  readonly stopReason?: StopReason;
  readonly error?: { readonly message: string };
}

function follow(turn: OpenTurn, kind: string, body: unknown): void {
  if (kind === 'tool_call') {
    const { toolCallId, status } = body as ToolCallEvent;
    if (status === 'failed') turn.failedLast.add(toolCallId);
    else turn.failedLast.clear();
    if (status === 'completed' || status === 'failed') turn.running.delete(toolCallId);
    else if (status !== undefined) turn.running.add(toolCallId);
    return;
  }
  turn.failedLast.clear();
  if (kind !== 'message_chunk') return;
  const { speaker, content } = body as { readonly speaker: string; readonly content: ContentBlock };
  if (speaker === 'user' && content.type === 'text') turn.prompt += content.text;
}

/** What a cancelled turn left open, or failed as its last act, was cut off: our agent fails the calls that it stops. */
function endOf(turn: OpenTurn, { stopReason = 'end_turn', error }: TurnEnd, endedAt: number): PastTurn {
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
