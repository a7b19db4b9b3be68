import type { TracedMessage, TraceEntry } from './trace-entry.ts';

/** What stands where a secret was. */
export const REDACTED: string = '[redacted]';

/** Deeper values are left out of a trace whole: they cannot be searched for secrets in bounded time. */
const MAX_DEPTH = 64;

/** Names of fields whose value is a secret whatever it looks like. */
const SECRET_NAME =
  /(^|[_\W])(auth|authorization|bearer|cookies?|credentials?|jwt|passwd|passphrase|password|pwd|secrets?|session[_-]?key|tokens?|x-api-key)([_\W]|$)|(api|access|account|auth|client|encryption|master|private|service|signing)[_-]?(key|secret|token)s?$|(secret|token|password|passphrase|apikey|credential)s?$/i;

/** Fields that hold cookies, as a list of texts or by name. */
const COOKIES = /^(set[-_]?)?cookies?$/i;

/** What only sounds like a secret. */
const HARMLESS_NAME = /^(next|page)[_-]?token$|^(sort|primary|foreign)[_-]?key$/i;

/** Words that, as the name of a setting, say that its value is a secret. */
const SECRET_WORD =
  '(?:access|api|auth|client|private|secret|service|signing)[-_]?(?:key|secret|token)|passphrase|passwd|password|pwd|secret|token|credentials?|cookies?';
/** The value of a setting: quoted, or up to the next blank. */
const VALUE = String.raw`(?:"[^"\n]{1,4096}"|'[^'\n]{1,4096}'|[^\s"'&;|<>]{1,4096})`;

/**
 * Text that is a secret wherever it stands. Each keeps the part that says what it was. No pattern may begin at every
 * letter of a long word and run to its end: repetitions are bounded, or begin where a word begins.
 */
const SECRET_TEXT: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN ([A-Z ]{0,40}PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g, `-----BEGIN $1----- ${REDACTED}`],
  [/\b(Bearer|Basic|Token|Digest)(\s+)[\w.~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  [/\b((?:Set-)?Cookie:[ \t]*)[^\r\n]+/gi, `$1${REDACTED}`],
  // session=..., connect.sid=..., PHPSESSID=...
  [
    new RegExp(
      String.raw`(?<![\w-])((?:[a-z0-9]{1,32}[-_.]){0,4}(?:session(?:[-_]?id)?|[a-z]{0,8}sess(?:id)?|sid)=)(?![=>\s])${VALUE}`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, REDACTED],
  [/\b(sk|pk|rk)[-_][\w-]{12,}/g, `$1-${REDACTED}`],
  [/\b(gh[opsur]|github_pat|glpat|xox[abeprs]|npm|hf|shpat|dop_v1|pypi)[-_][\w-]{10,}/g, `$1_${REDACTED}`],
  [/\b(AKIA|ASIA)[A-Z0-9]{12,}\b/g, `$1${REDACTED}`],
  [/\bAIza[\w-]{20,}/g, REDACTED],
  [/(?<![\w+.-])([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/@:]{0,256}:[^\s/@]{1,1024}@/gi, `$1${REDACTED}@`],
  [
    /([?&](?:access_token|api[-_]?key|auth|code|key|password|secret|sig|signature|token)=)[^&\s"'#]+/gi,
    `$1${REDACTED}`,
  ],
  // export OPENAI_API_KEY=..., TOKEN=...
  [
    new RegExp(String.raw`(?<![\w$])([A-Z0-9_]{0,64}(?:KEY|PASSWORD|SECRET|TOKEN)[A-Z0-9_]{0,64}=)${VALUE}`, 'g'),
    `$1${REDACTED}`,
  ],
  // --token=..., --api-key ..., password=...
  [
    new RegExp(String.raw`(?<![\w])(--?(?:[a-z0-9]{1,32}-){0,4}(?:${SECRET_WORD})(?:=|[ \t]+(?!-)))${VALUE}`, 'gi'),
    `$1${REDACTED}`,
  ],
  [
    new RegExp(String.raw`(?<![\w.-])((?:[a-z0-9]{1,32}[-_]){0,4}(?:${SECRET_WORD})=)(?![=>\s])${VALUE}`, 'gi'),
    `$1${REDACTED}`,
  ],
  // {"client_secret": "..."}, also where the text is JSON inside JSON
  [
    new RegExp(
      String.raw`(\\?["'](?:[a-z0-9]{1,32}[-_]){0,4}(?:${SECRET_WORD})\\?["']\s{0,8}:\s{0,8}\\?["'])(?:[^"'\\\n]|\\[^"']){1,4096}`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // mysql -phunter2
  [/\b((?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,256}?\s-p)(?=[^\s-])\S{1,1024}/g, `$1${REDACTED}`],
];

/** A flag whose value is the next word: `--api-key`, `--password`. */
const SECRET_FLAG = new RegExp(`^--?(?:[a-z0-9]{1,32}-){0,4}(?:${SECRET_WORD})$`, 'i');

/** A longer text is looked through in pieces of this size, so that no pattern runs over megabytes at once. */
const MAX_SEARCHED_CHARACTERS = 256 * 1024;

export interface RedactOptions {
  /** Known secrets, replaced wherever they stand. Shorter than four characters are ignored. */
  readonly secrets?: readonly string[];
}

/** A copy of a message without secrets: environment and header values, secret-looking fields, and secrets inside texts. */
export function redact(value: unknown, { secrets = [] }: RedactOptions = {}): unknown {
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  return redactValue(value, '', known, 0);
}

function redactValue(value: unknown, name: string, known: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return redactText(value, known);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  const isCookies = COOKIES.test(name);
  if (Array.isArray(value))
    return value.map((item, index) =>
      isScalar(item) && (isCookies || isSecretFlag(value[index - 1]))
        ? hide(item)
        : redactItem(item, name, known, depth + 1),
    );
  const isSecretMap = isCookies || /^(env|environment|headers)$/i.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isCount = typeof field === 'number' && /tokens$/i.test(key);
      const isSecret = isSecretMap || (isSecretName(key) && typeof field !== 'boolean' && !isCount);
      return [key, isSecret && isScalar(field) ? hide(field) : redactValue(field, key, known, depth + 1)];
    }),
  );
}

/** ACP writes variables and headers as `{ name, value }`; what they are called is worth knowing, what they hold is not ours. */
function redactItem(item: unknown, listName: string, known: readonly string[], depth: number): unknown {
  const isPair = typeof item === 'object' && item !== null && 'name' in item && 'value' in item;
  if (
    !isPair ||
    !(COOKIES.test(listName) || /^(env|environment|headers)$/i.test(listName) || isSecretName(String(item.name)))
  ) {
    return redactValue(item, '', known, depth);
  }
  return { ...(redactValue(item, '', known, depth) as object), value: hide(item.value) };
}

/** A text without the secrets that can be told by their shape or by the name before them. */
export function redactText(text: string, known: readonly string[] = []): string {
  if (text.length > MAX_SEARCHED_CHARACTERS) return redactPieces(text, known);
  let result = text;
  for (const secret of known) if (result.includes(secret)) result = result.replaceAll(secret, REDACTED);
  for (const [pattern, replacement] of SECRET_TEXT) result = result.replace(pattern, replacement);
  return result;
}

/** Cuts at white space where there is some, so that a secret is not cut in two. */
function redactPieces(text: string, known: readonly string[]): string {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const wanted = start + MAX_SEARCHED_CHARACTERS;
    const space = wanted >= text.length ? text.length : text.lastIndexOf(' ', wanted);
    const end = space > start ? space : wanted;
    pieces.push(redactText(text.slice(start, end), known));
    start = end;
  }
  return pieces.join('');
}

const isSecretName = (name: string): boolean =>
  COOKIES.test(name) || (SECRET_NAME.test(name) && !HARMLESS_NAME.test(name));
const isSecretFlag = (word: unknown): boolean => typeof word === 'string' && SECRET_FLAG.test(word);
const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const hide = (value: unknown): unknown => (value === '' ? '' : REDACTED);

/** An entry of a trace without secrets. */
export function withoutSecrets(entry: TraceEntry, options: RedactOptions = {}): TraceEntry {
  return entry.kind === 'message'
    ? { ...entry, message: redact(entry.message, options) as TracedMessage }
    : { ...entry, text: redactText(entry.text, options.secrets) };
}

/** How many values were taken out of a text. */
export function countRedacted(text: string): number {
  let count = 0;
  for (let at = text.indexOf(REDACTED); at !== -1; at = text.indexOf(REDACTED, at + REDACTED.length)) count += 1;
  return count;
}
