/** Longest script that is read. */
const MAX_CHARS = 2000;

/**
 * Is this one of the sed scripts that only filter? Each command is `p`, `d`, `=`, `q` or a substitution, with addresses that are numbers, `$` or
 * patterns. All else asks: other commands run programs and read or write files.
 */
export function isFilterInSed(script: string | undefined): boolean {
  if (script === undefined || script.length > MAX_CHARS) return false;
  for (let at = skip(BLANKS, script, 0); at < script.length; ) {
    const end = skip(COMMAND, script, at);
    if (end === at) return false;
    at = skip(SEPARATOR, script, end);
    if (at === end && at < script.length) return false;
  }
  return script.trim() !== '';
}

/** The end of what `pattern` finds at this place; the place itself when it finds nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A pattern up to its delimiter. In brackets there is no `]` or `^` as a character, no escape and no delimiter: seds differ about them. */
function patternUntil(delimiter: string): string {
  const bracket = `\\[\\^?(?:\\[:[a-z]+:\\]|[^\\]\\[\\\\\\n^${delimiter}])+\\]`;
  return `(?:[^\\\\\\[\\n${delimiter}]|\\\\[^\\nc]|${bracket})*`;
}

function substitution(delimiter: string): string {
  const sign = `[${delimiter}]`;
  return `${sign}${patternUntil(delimiter)}${sign}(?:[^\\\\\\n${delimiter}]|\\\\[^\\nc])*${sign}`;
}

const ADDRESS = `(?:\\d+(?:~\\d+)?|\\$|/${patternUntil('/')}/I?)`;
const LAST_ADDRESS = `(?:[+~]?\\d+|\\$|/${patternUntil('/')}/I?)`;
const SUBSTITUTION = [...'/|#,@:%'].map(substitution).join('|');
const BLANKS = /\s*/y;
const SEPARATOR = /[ \t]*(?:[;\n]\s*|$)/y;
const COMMAND = new RegExp(
  `(?:${ADDRESS}(?:[ \\t]*,[ \\t]*${LAST_ADDRESS})?[ \\t]*)?!?[ \\t]*(?:[pd=]|q\\d*|s(?:${SUBSTITUTION})[gpiIM\\d]*)`,
  'y',
);
