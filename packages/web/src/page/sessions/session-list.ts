import type { SessionSummary, WatchChange } from '../../api/index.ts';

/** The sessions of this person, the newest first. */
export type SessionList = readonly SessionSummary[];

export function applyChange(list: SessionList, change: WatchChange): SessionList {
  if (change.type === 'alive') return list;
  const { agent, sessionId } = change.type === 'session' ? change.session : change;
  const others = list.filter((session) => session.agent !== agent || session.sessionId !== sessionId);
  if (change.type === 'removed') return others.length === list.length ? list : others;
  return [...others, change.session].sort((one, other) => other.updatedAt - one.updatedAt);
}

export function findSession(list: SessionList, agent: string, sessionId: string): SessionSummary | undefined {
  return list.find((session) => session.agent === agent && session.sessionId === sessionId);
}

/** Those that hold every word of the filter in their title, their folder, their agent or their id; those that wait come first. */
export function filterSessions(list: SessionList, filter: string): SessionList {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = list.filter(({ title = '', cwd, agent, sessionId, state }) => {
    const text = `${title}\n${cwd}\n${agent}\n${sessionId}\n${state}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...found.filter(isWaiting), ...found.filter((session) => !isWaiting(session))];
}

export function waitingSessions(list: SessionList): SessionList {
  return list.filter(isWaiting);
}

export function countQuestions(list: SessionList): number {
  return list.reduce((count, { questions }) => count + questions.length, 0);
}

/** What a session is called. */
export function nameOf({ title }: Pick<SessionSummary, 'title'>): string {
  return title === undefined || title.trim() === '' ? 'New session' : title;
}

/** The last two parts of a folder: enough to know it. */
export function shortFolder(cwd: string): string {
  const parts = cwd.split(/[/\\]/).filter(Boolean);
  return parts.length <= 2 ? cwd : `…/${parts.slice(-2).join('/')}`;
}

/** The time for today, else the day. It stays true while nobody draws it again. */
export function formatWhen(at: number, now: number = Date.now()): string {
  const when = new Date(at);
  if (when.toDateString() === new Date(now).toDateString())
    return when.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return when.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

function isWaiting({ state }: SessionSummary): boolean {
  return state === 'waiting';
}
