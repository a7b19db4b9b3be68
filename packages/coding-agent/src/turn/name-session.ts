import type { Turn } from '@parley/agent';

const MAX_TITLE_CHARACTERS = 60;

/** Calls a session what its first prompt says, once, and tells the client; a title that somebody chose stays. */
export function nameSession(turn: Turn): void {
  const { session, text } = turn;
  if (session.state.isNamed === true) return;
  session.state.isNamed = true;
  const [line = ''] = text.trim().split('\n');
  const subject = line.replace(/^\/\S+\s+/, '').replace(/\s+/g, ' ');
  if (subject !== '' && isOpen(session.title, line)) turn.title(shorten(subject));
}

/** The runtime calls a session by how its first prompt begins, which may have been a command, until the agent does better. */
function isOpen(title: string | null, line: string): boolean {
  return title === null || title.startsWith('/') || line.startsWith(title.replace(/…$/, ''));
}

/** Cut between words where there are any. */
function shorten(line: string): string {
  const characters = [...line];
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('');
  return `${cut.replace(/\s+\S{0,20}$/, '').trimEnd()}…`;
}
