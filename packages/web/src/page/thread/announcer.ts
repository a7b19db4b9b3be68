import type { Entry, Transcript } from '@parley/client';
import { visibleLine } from '../text/visible-text.ts';
import { isPassedNotice } from './passed-notice.ts';

/** A longer text is told by its beginning. */
const MAX_SPOKEN = 400;

/**
 * What a screen reader is told of a conversation: that the agent works, the last paragraph of what it has finished to say, tools that
 * failed, how the turn ended. Never pieces of a text that is still being written.
 */
export class Announcer {
  #state: Transcript['state'] = 'idle';
  #told = 0;

  /** What has to be said since the last time; undefined when there is nothing. */
  see(transcript: Transcript): string | undefined {
    const { state, entries, isReplaying } = transcript;
    const before = this.#state;
    this.#state = state;
    const isWorking = state === 'running' || state === 'cancelling';
    if (isReplaying || entries.length < this.#told) {
      this.#told = entries.length;
      return undefined;
    }
    const said: string[] = [];
    if (isWorking && before === 'idle') said.push('Agent is working');
    // The last entry may still change while the agent works.
    const end = isWorking ? entries.length - 1 : entries.length;
    for (; this.#told < end; this.#told += 1) {
      const entry = entries.at(this.#told);
      if (entry && isOpen(entry) && isWorking) break;
      const words = entry && !isPassedNotice(entry, transcript) ? wordEntry(entry) : undefined;
      if (words !== undefined) said.push(words);
    }
    if (state === 'idle' && before !== 'idle') said.push(wordEnd(transcript));
    return said.length === 0 ? undefined : said.join('. ');
  }
}

/** A tool call is told when it has ended. */
function isOpen(entry: Entry): boolean {
  return entry.type === 'tool_call' && (entry.status === 'pending' || entry.status === 'in_progress');
}

function wordEntry(entry: Entry): string | undefined {
  if (entry.origin === 'replay') return undefined;
  switch (entry.type) {
    case 'message':
      return entry.speaker === 'agent' ? lastParagraph(entry.text) : undefined;
    case 'tool_call':
      return entry.status === 'failed' ? `Tool ${visibleLine(entry.title)} failed` : undefined;
    case 'notice':
      return visibleLine(entry.title);
    default:
      return undefined;
  }
}

function lastParagraph(text: string): string | undefined {
  const paragraph =
    text
      .trim()
      .split(/\n{2,}/)
      .at(-1)
      ?.trim() ?? '';
  if (paragraph === '') return undefined;
  return paragraph.length > MAX_SPOKEN ? `${paragraph.slice(0, MAX_SPOKEN)}…` : paragraph;
}

function wordEnd({ turns }: Transcript): string {
  const turn = turns.at(-1);
  if (turn?.status === 'failed') return `The turn failed: ${turn.error ?? 'no reason was told'}`;
  return turn?.stopReason === 'cancelled' ? 'Cancelled' : 'Agent is done';
}
