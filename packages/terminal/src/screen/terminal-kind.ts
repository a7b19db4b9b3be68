/** Whether the locale or the terminal lets us show nothing but ASCII. */
export function isAsciiOnly(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return (locale !== '' && !/utf-?8/i.test(locale)) || env.TERM === 'linux';
}

/**
 * Whether a terminal breaks long lines anew when its window becomes narrower. Nearly all do; the few that cut lines off
 * instead can be told by their environment.
 */
export function doesReflow(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.TMUX) return true;
  if (env.XTERM_VERSION || env.STY) return false;
  return !/^(linux|rxvt|screen|vt\d|cons25)/.test(env.TERM ?? '');
}

/** Whether a terminal keeps silent about questions that it does not know; the Linux console prints them. */
export function knowsQuestions(term: string | undefined): boolean {
  return term !== undefined && !/^(linux|dumb|vt\d+)/.test(term);
}
