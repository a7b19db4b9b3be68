import { assertNever } from '@parley/jsonrpc';
import type { ContentBlock } from '@parley/protocol';
import {
  getMessage,
  getToolCall,
  type MessageEntry,
  type Question,
  type SessionEvent,
  type ThoughtEntry,
  type ToolCallEntry,
  type Transcript,
  type TranscriptEvent,
  type WholeMessage,
  type WholeThought,
} from '@parley/session';

/** One thing that happens in a turn, ready to be shown. */
export type TurnEvent =
  /** A piece of what the agent says. */
  | { readonly type: 'text'; readonly text: string; readonly messageId?: string }
  | { readonly type: 'thought'; readonly text: string }
  /** Something the agent says that is not text: an image, a sound, a resource. */
  | { readonly type: 'content'; readonly content: ContentBlock }
  /** A tool call began or changed; here in its whole latest state. */
  | { readonly type: 'tool_call'; readonly toolCall: ToolCallEntry }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'answer'; readonly questionId: string; readonly outcome: string }
  /** So many events were left out because nobody read them; the transcript has them all. */
  | { readonly type: 'gap'; readonly skipped: number }
  /** The agent has told a message or a thought anew; its entry in the transcript has all of it. */
  | { readonly type: 'retold'; readonly entry: MessageEntry | ThoughtEntry }
  | Exclude<SessionEvent, { type: Folded }>;

/** Events that a turn tells in its own words. */
type Folded = 'message_chunk' | 'whole_message' | 'thought_chunk' | 'whole_thought' | 'tool_call' | 'tool_call_chunk';

/** What a turn tells its reader about an event; undefined when it is not the reader's business. */
export function toTurnEvent(event: TranscriptEvent, transcript: Transcript): TurnEvent | undefined {
  switch (event.type) {
    case 'message_chunk':
      return event.speaker === 'agent' ? spoken(event.content, event.messageId) : undefined;
    case 'thought_chunk':
      return event.content.type === 'text'
        ? { type: 'thought', text: event.content.text }
        : { type: 'content', content: event.content };
    case 'whole_message':
    case 'whole_thought':
      return retold(event, transcript);
    case 'tool_call':
    case 'tool_call_chunk': {
      const toolCall = getToolCall(transcript, event.toolCallId);
      return toolCall && { type: 'tool_call', toolCall };
    }
    case 'plan':
    case 'question':
    case 'answer':
    case 'commands':
    case 'mode':
    case 'config':
    case 'info':
    case 'usage':
    case 'notice':
    case 'compaction':
    case 'compaction_chunk':
    case 'state':
    case 'terminal':
    case 'terminal_output':
    case 'subagent':
    case 'session_message':
    case 'unknown':
      return event;
    case 'turn_started':
    case 'turn_cancelling':
    case 'turn_ended':
    case 'turn_failed':
    case 'replay_started':
    case 'replay_ended':
    case 'modes':
    case 'cleared':
    case 'session_replaced':
    case 'connection_lost':
    case 'connection_restored':
      return undefined;
    default:
      return assertNever(event);
  }
}

/** Two pieces of one text are one piece, for a reader who comes late. */
export function mergeTurnEvents(last: TurnEvent, next: TurnEvent): TurnEvent | undefined {
  if (last.type === 'text' && next.type === 'text' && last.messageId === next.messageId) {
    const text = last.text + next.text;
    return last.messageId === undefined ? { type: 'text', text } : { type: 'text', text, messageId: last.messageId };
  }
  if (last.type === 'thought' && next.type === 'thought') return { type: 'thought', text: last.text + next.text };
  if (last.type === 'terminal_output' && next.type === 'terminal_output' && last.terminalId === next.terminalId) {
    return { ...last, text: last.text + next.text };
  }
  return undefined;
}

/** What the person said is no news to who reads the turn of their prompt, nor is a change of `_meta`. */
function retold(event: WholeMessage | WholeThought, transcript: Transcript): TurnEvent | undefined {
  if (!event.content || (event.type === 'whole_message' && event.speaker === 'user')) return undefined;
  const entry = getMessage(transcript, event);
  return entry && { type: 'retold', entry };
}

function spoken(content: ContentBlock, messageId: string | undefined): TurnEvent {
  if (content.type !== 'text') return { type: 'content', content };
  return messageId === undefined
    ? { type: 'text', text: content.text }
    : { type: 'text', text: content.text, messageId };
}
