import { shortId } from '../sessions/choice/word-session.ts';
import type { ChatOptions } from './chat-options.ts';

/** What a person types to name a session: the same as in `parley sessions list`. */
export function shownId({ idOf }: Pick<ChatOptions, 'idOf'>, agentSessionId: string): string {
  return shortId(idOf?.(agentSessionId) ?? agentSessionId);
}
