import { applyEvent, createTranscript, getToolCall, type Transcript } from '@parley/client';
import type { LoggedEvent } from '@parley/store';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { printable } from '../output/printable.ts';
import type { RunOutput } from '../output/run-output.ts';
import { createStyles, hasColor } from '../output/styles.ts';
import { createTextOutput } from '../output/text-output.ts';
import { needsRoom, untilRoom } from '../output/write-out.ts';
import { watchInterruption } from '../run/interruption.ts';
import { readOutputSettings } from '../run/output-settings.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { eventOf } from './transcript-of.ts';

export interface WatchFlags extends SessionFlags {
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Shows a conversation and then everything that is added to it, until it is interrupted. It changes nothing. */
export async function watchSession(flags: WatchFlags, context: CliContext): Promise<void> {
  const after = readCursor(flags.cursor);
  await using chosen = await requireSession(flags, context);
  using interruption = watchInterruption(context);
  const show = flags.json || flags.format === 'json' ? printJson : createView(flags, context);
  const { signal } = interruption;
  for await (const logged of chosen.shelf.follow(chosen.session, { after, signal })) {
    show(logged);
    if (needsRoom(context.stdout)) await untilRoom(context.stdout, signal);
  }

  function printJson({ seq, timeMs, kind, body }: LoggedEvent): void {
    context.stdout.write(
      `${JSON.stringify({ cursor: seq, time: new Date(timeMs).toISOString(), kind, event: body })}\n`,
    );
  }
}

/** Events as they are shown while a turn runs, with what the person said. */
function createView(flags: WatchFlags, context: CliContext): (logged: LoggedEvent) => void {
  const output: RunOutput = createTextOutput({ ...readOutputSettings(flags), isQuietAboutProgress: true }, context);
  const { bold, dim } = createStyles(hasColor(context, context.stdout, flags));
  let transcript: Transcript = createTranscript();
  return (logged) => {
    const event = eventOf(logged);
    if (!event) return;
    // Only tool calls are told by what came before; all else would only take up memory.
    if (event.type === 'tool_call') transcript = applyEvent(transcript, event, logged.timeMs);
    switch (event.type) {
      case 'message_chunk':
        if (event.content.type !== 'text') return output.onEvent({ type: 'content', content: event.content });
        if (event.speaker === 'agent') return output.onEvent({ type: 'text', text: event.content.text });
        return void context.stdout.write(`\n${bold(`> ${printable(event.content.text)}`)}\n`);
      case 'thought_chunk':
        return event.content.type === 'text'
          ? output.onEvent({ type: 'thought', text: event.content.text })
          : undefined;
      case 'tool_call': {
        const toolCall = getToolCall(transcript, event.toolCallId);
        return toolCall && output.onEvent({ type: 'tool_call', toolCall });
      }
      case 'plan':
        return output.onEvent({ type: 'plan', entries: event.entries });
      case 'turn_ended':
        return void context.stdout.write(`\n${dim(`[done] ${event.stopReason}`)}\n`);
      case 'turn_failed':
        return void context.stdout.write(`\n${dim(`[failed] ${printable(event.error)}`)}\n`);
      default:
        return;
    }
  };
}

function readCursor(text: string | undefined): number {
  const cursor = Number(text ?? 0);
  if (Number.isInteger(cursor) && cursor >= 0) return cursor;
  throw usageError(`--cursor is the number of an event, not "${text}".`);
}
