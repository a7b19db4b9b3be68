import { isRunning, replaceEntry } from './entries.ts';
import type { MessageEntry } from './entry.ts';
import type { Transcript } from './transcript.ts';

// The prompt of the running turn is in the transcript before the agent has it. When the agent tells it back it is not new, and
// that gives it the name by which the agent knows it.

/** The entry of our own prompt, while its turn runs. */
export function getOwnPrompt(transcript: Transcript): MessageEntry | undefined {
  if (transcript.isReplaying || !isRunning(transcript)) return undefined;
  const entry = transcript.entries.at(transcript.turns.at(-1)?.firstEntry ?? -1);
  return entry?.type === 'message' && entry.speaker === 'user' ? entry : undefined;
}

/** Our own prompt under the agent's name; nothing changes where it has one already. */
export function nameOwnPrompt(transcript: Transcript, messageId: string): Transcript {
  const entry = getOwnPrompt(transcript);
  const position = transcript.turns.at(-1)?.firstEntry;
  if (!entry || position === undefined || entry.messageId !== undefined) return transcript;
  const named = replaceEntry(transcript, position, { ...entry, messageId });
  const entryIndex = named.folding.entryIndex.add(`user ${messageId}`, position);
  return { ...named, folding: { ...named.folding, entryIndex } };
}
