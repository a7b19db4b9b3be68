import { cleanLine } from '@parley/terminal';
import type { SavedSession } from '../records/saved-session.ts';

/** Ids of other agents are long; the beginning is enough to name a session. */
const MAX_ID_CHARACTERS = 10;

/** The shortest beginnings of ids that still tell the sessions apart, ten characters at least, so that each can be typed. */
export function shortIds(sessions: readonly { readonly id: string }[]): (id: string) => string {
  const ids = new Set(sessions.map(({ id }) => id));
  for (let length = MAX_ID_CHARACTERS; ; length += 4) {
    const short = new Set([...ids].map((id) => id.slice(0, length)));
    if (short.size === ids.size) return (id) => id.slice(0, length);
  }
}

/** The beginning of an id, as lists show it. */
export function shortId(id: string): string {
  return id.slice(0, MAX_ID_CHARACTERS);
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, then the day. */
export function wordAge(atMs: number, nowMs: number = Date.now()): string {
  const minutes = Math.floor(Math.max(0, nowMs - atMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 14) return days === 1 ? '1 day ago' : `${days} days ago`;
  return new Date(atMs).toISOString().slice(0, 10);
}

/** What a session is called: its name, its title, or that it has none. */
export function wordSession({ name, title }: Pick<SavedSession, 'name' | 'title'>): string {
  const words = cleanLine([name, title].filter((word) => word != null && word !== '').join(': '));
  return words === '' ? '(no title)' : words;
}
