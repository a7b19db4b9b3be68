import type { Turn } from '@parley/agent';
import { PERSON_ONLY_MARK } from '../loop/log-marks.ts';

export interface PersonNotice {
  readonly title: string;
  readonly description?: string;
  /** For clients that show notices. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Tells the person something that is no part of the conversation: as a notice where the client shows notices, else as a
 * message that the model does not get to see.
 */
export function notifyPerson(turn: Turn, { title, description, meta }: PersonNotice): void | Promise<void> {
  if (turn.client.offers.notices) {
    return turn.notice({
      severity: 'warning',
      title,
      ...(description !== undefined && { description }),
      ...(meta && { meta }),
    });
  }
  const text = `> **${title}**${description === undefined ? '' : `: ${description}`}\n\n`;
  return turn.update({
    type: 'message_chunk',
    speaker: 'agent',
    messageId: `aside-${turn.id}`,
    content: { type: 'text', text },
    meta: { ...PERSON_ONLY_MARK },
  });
}
