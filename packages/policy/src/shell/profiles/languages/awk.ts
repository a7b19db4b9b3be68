/** Longest program that is read. */
const MAX_CHARS = 2000;

/** What stood before: after a value a slash divides, elsewhere it begins a pattern. */
type Before = 'value' | 'closing' | 'other';

/**
 * Is this an awk program that only filters, calculates and prints? It is read token by token, and each must be one of those below: known words,
 * plain variables, numbers, strings, patterns and signs. All else asks: awk runs programs, reads and writes files, and reads the environment.
 */
export function isFilterInAwk(program: string | undefined): boolean {
  if (program === undefined || program.length > MAX_CHARS || program.trim() === '') return false;
  let before: Before = 'other';
  let braces = 0;
  let parentheses = 0;
  for (let at = 0; at < program.length; ) {
    const isPattern: boolean = program[at] === '/' && before === 'other';
    if (program[at] === '/' && before === 'closing') return false;
    const token = match(isPattern ? PATTERN : TOKEN, program, at);
    if (token === undefined) return false;
    at += token.length;
    if (/^[ \t]+$/.test(token)) continue;
    if (token === '{') braces += 1;
    if (token === '}') braces -= 1;
    if (token === '(') parentheses += 1;
    if (token === ')') parentheses -= 1;
    if (braces < 0 || parentheses < 0) return false;
    // In an action, `>` may write a file; in parentheses and before an action it compares.
    if (token === '>' && braces > 0 && parentheses === 0) return false;
    if (WORD.test(token) && !isKnownWord(token, program.slice(at))) return false;
    before = isPattern ? 'value' : kindOf(token);
  }
  return braces === 0 && parentheses === 0;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function isKnownWord(word: string, rest: string): boolean {
  if (FUNCTIONS.has(word) || KEYWORDS.has(word)) return true;
  return (VARIABLES.has(word) || (/^[a-z]\w*$/.test(word) && !REACHES_OUT.has(word))) && !/^\s*\(/.test(rest);
}

function kindOf(token: string): Before {
  if (token === ')' || token === '++' || token === '--') return 'closing';
  if (token === ']' || /^["\d]/.test(token)) return 'value';
  return WORD.test(token) && !KEYWORDS.has(token) ? 'value' : 'other';
}

const WORD = /^[A-Za-z_]\w*$/;
const TOKEN =
  /[ \t]+|[\n;]|"(?:[^"\\\n]|\\["\\/nrt])*"|\d+(?:\.\d+)?|[A-Za-z_]\w*|&&|\|\||[!=<>]=|!~|[-+*/%^]=|\+\+|--|[-+*/%^!~<>=?:,(){}[\]$]/y;
/** Awks differ about slashes and quotes in brackets. */
const PATTERN = /\/(?:[^/\\[\n"]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^\][\\/\n"^])+\])*\//y;
const KEYWORDS = new Set('BEGIN END print printf if else for while do in next exit break continue'.split(' '));
const FUNCTIONS = new Set(
  'length substr index split sub gsub match sprintf toupper tolower int sqrt exp log sin cos atan2'.split(' '),
);
const VARIABLES = new Set('NR NF FNR FS OFS RS ORS FILENAME RSTART RLENGTH SUBSEP CONVFMT OFMT'.split(' '));
/** Words of one of the awks that look like variables of the program. */
const REACHES_OUT = new Set(
  'getline system close fflush func function return delete switch case default include load namespace nextfile'.split(
    ' ',
  ),
);
