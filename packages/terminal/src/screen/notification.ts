import { cleanLine } from '../text/clean-text.ts';

/** How a person is called who looks elsewhere: not at all, with the bell, or with a message where the terminal shows one. */
export type NotifyBy = 'off' | 'bell' | 'osc';

type Environment = Readonly<Record<string, string | undefined>>;

/** Longer messages are cut by whoever shows them. */
const MAX_CHARACTERS = 120;
const BELL = '\u0007';
const OSC = '\u001b]';

/** What to write to a terminal to call the person. The text may come from an agent. */
export function notification(text: string, by: NotifyBy, env: Environment): string {
  if (by === 'off') return '';
  const known = by === 'osc' ? knownSequence(env) : undefined;
  if (!known) return BELL;
  // A semicolon parts the fields; `9;4;...` would be progress.
  const words = cleanLine(text).replaceAll(';', ',').slice(0, MAX_CHARACTERS);
  return known === 'osc9' ? `${OSC}9;Parley: ${words}${BELL}` : `${OSC}777;notify;Parley;${words}${BELL}`;
}

/** Only terminals that are known to show messages; others get the bell, which also passes through tmux and screen. */
function knownSequence({ TMUX, STY, TERM = '', TERM_PROGRAM = '' }: Environment): 'osc9' | 'osc777' | undefined {
  if (TMUX || STY) return undefined;
  if (/^(iTerm\.app|WezTerm|ghostty)$/.test(TERM_PROGRAM) || /^xterm-(kitty|ghostty)/.test(TERM)) return 'osc9';
  return /^(foot|rxvt-unicode)/.test(TERM) ? 'osc777' : undefined;
}
