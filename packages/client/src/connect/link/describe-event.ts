import type { SessionEvent } from '@parley/session';

/** An event in a few words, for a progress line. */
export function describeEvent(event: SessionEvent): string {
  switch (event.type) {
    case 'message_chunk':
      return `${event.speaker === 'user' ? 'user' : 'agent'} message`;
    case 'thought_chunk':
      return 'thought';
    case 'tool_call':
      return `tool call ${event.title ?? event.name ?? event.toolCallId}${event.status ? ` (${event.status.replace('_', ' ')})` : ''}`;
    case 'terminal_output':
      return `output of terminal ${event.terminalId}`;
    case 'unknown':
      return `unknown update ${event.variant}`;
    default:
      return event.type.replace('_', ' ');
  }
}
