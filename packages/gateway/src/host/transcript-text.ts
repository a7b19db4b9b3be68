import { textOfContent } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';

export interface TranscriptTextOptions {
  /** The message that is the prompt itself, and so no part of what came before. */
  readonly exceptMessageId: string;
  readonly maxCharacters: number;
}

const INTRODUCTION =
  'This conversation began before you were started, and you do not remember it. What follows is what was said and done so far; ' +
  'go on from there. Do not answer it again, and do not mention this note.';

/** What was said and done in a session, as a text for an agent that does not remember it; undefined when nothing was. */
export async function transcriptText(
  events: AsyncIterable<SessionEvent>,
  { exceptMessageId, maxCharacters }: TranscriptTextOptions,
): Promise<string | undefined> {
  const parts: { speaker: string; text: string }[] = [];
  const titles = new Map<string, string>();
  for await (const event of events) {
    if (event.type === 'message_chunk' && event.messageId !== exceptMessageId) {
      const speaker = event.speaker === 'user' ? 'User' : 'Assistant';
      const last = parts.at(-1);
      const text = textOfContent([event.content]);
      if (last?.speaker === speaker) last.text += text;
      else parts.push({ speaker, text });
    } else if (event.type === 'tool_call') {
      const title = event.title ?? titles.get(event.toolCallId) ?? event.toolCallId;
      titles.set(event.toolCallId, title);
      if (event.status === 'completed' || event.status === 'failed')
        parts.push({ speaker: `Tool (${event.status})`, text: title });
    }
  }
  const text = parts.map(({ speaker, text: said }) => `${speaker}: ${said}`).join('\n\n');
  if (text === '') return undefined;
  const end = text.length > maxCharacters ? `[...]${text.slice(-maxCharacters)}` : text;
  return `${INTRODUCTION}\n\n<conversation>\n${end}\n</conversation>`;
}
