import { type History, textOf, toolCallsOf } from '../model/history.ts';
import { headOf } from '../text.ts';

const MAX_PROMPT_CHARS = 300;
const MAX_LINES = 200;

/** A mechanical summary of a conversation: what was asked and which tools ran. Stands in for the history when it is compacted. */
export function digest(history: History): string {
  const failed = new Set(
    history.flatMap((message) =>
      message.role === 'tool'
        ? message.results.filter(({ isError }) => isError).map(({ toolCallId }) => toolCallId)
        : [],
    ),
  );
  const lines = history.flatMap((message): readonly string[] => {
    if (message.role === 'user') return [`- You asked: ${oneLine(textOf(message.content))}`];
    if (message.role === 'tool') return [];
    return toolCallsOf(message).map(
      ({ id, name, input }) => `  - ${name} ${oneLine(JSON.stringify(input))}${failed.has(id) ? ' (failed)' : ''}`,
    );
  });
  if (lines.length === 0) return 'Nothing has happened in this conversation yet.';
  const left = lines.length - MAX_LINES;
  return `What happened so far:\n${left > 0 ? `- (${left} earlier lines left out)\n` : ''}${lines.slice(-MAX_LINES).join('\n')}`;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_PROMPT_CHARS ? `${headOf(flat, MAX_PROMPT_CHARS)}…` : flat;
}
