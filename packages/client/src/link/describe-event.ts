import { assertNever } from '@parley/jsonrpc';
import type { SessionEvent } from '@parley/session';

/** An event in a few words, for a progress line. */
export function describeEvent(event: SessionEvent): string {
  switch (event.type) {
    case 'message_chunk':
    case 'whole_message':
      return `${event.speaker === 'user' ? 'user' : 'agent'} message`;
    case 'thought_chunk':
    case 'whole_thought':
      return 'thought';
    case 'tool_call':
      return `tool call ${event.title ?? event.name ?? event.toolCallId}${event.status ? ` (${event.status.replace('_', ' ')})` : ''}`;
    case 'tool_call_chunk':
      return `tool call ${event.toolCallId}`;
    case 'terminal_output':
      return `output of terminal ${event.terminalId}`;
    case 'unknown':
      return `unknown update ${event.variant}`;
    case 'plan':
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
    case 'subagent':
    case 'session_message':
      return event.type.replace('_', ' ');
    default:
      return assertNever(event);
  }
}
