import type { Turn } from '@parley/agent';

const MAX_TITLE_CHARACTERS = 60;

/** Calls a session what its first prompt says, once, and tells the client; a title that somebody chose stays. */
export function nameSession(turn: Turn): void {
  const { session, text } = turn;
  if (session.state.isNamed === true) return;
  session.state.isNamed = true;
  const [line = ''] = text.trim().split('\n');
  if (line === '' || (session.title !== null && !isBeginningOf(session.title, line))) return;
  turn.title(shorten(line.replace(/\s+/g, ' ')));
}

/** The runtime gives a session a title of its own until the agent does. */
function isBeginningOf(title: string, line: string): boolean {
  return line.startsWith(title.replace(/…$/, ''));
}

/** Cut between words where there are any. */
function shorten(line: string): string {
  const characters = [...line];
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('');
  return `${cut.replace(/\s+\S{0,20}$/, '').trimEnd()}…`;
}
