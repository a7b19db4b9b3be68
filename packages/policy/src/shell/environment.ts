/** A variable that may be given to a program without a rule that writes it, and why. */
interface Harmless {
  readonly names: string;
  /** What its value may be; never a sign that a shell, make or a lookup of files reads. */
  readonly values: RegExp;
  /** The programs; without it every program but those that turn variables into settings of their own. */
  readonly programs?: ReadonlySet<string>;
  readonly because: string;
}

const JAVASCRIPT = new Set(
  'node npm npx pnpm yarn bun tsx ts-node vitest jest mocha eslint prettier tsc playwright vite next turbo'.split(' '),
);
const PYTHON = new Set('python python2 python3 pytest pip pip3 uv poetry ruff mypy black'.split(' '));
const WORD = /^[\w.-]{0,64}$/;

const HARMLESS: readonly Harmless[] = [
  { names: 'CI', values: WORD, because: 'tells tools that nobody watches' },
  {
    names: 'NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS LINES',
    values: WORD,
    because: 'changes how output looks',
  },
  {
    names: 'LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME',
    values: /^[\w@-]{0,32}(?:\.[\w-]{1,16})?$/,
    because: 'changes the language of output; without a slash it names no file of its own',
  },
  { names: 'TZ', values: /^[A-Z]\w{0,31}(?:\/[A-Z]\w{0,31})?$/, because: 'names a time zone' },
  { names: 'TERM', values: /^(?:dumb|xterm|xterm-256color|linux|vt100)$/, because: 'names a common terminal' },
  {
    names: 'NODE_ENV APP_ENV LOG_LEVEL PORT VITEST',
    values: WORD,
    programs: JAVASCRIPT,
    because: 'is a word that the project reads',
  },
  { names: 'DEBUG', values: /^[\w:,.*-]{0,128}$/, programs: JAVASCRIPT, because: 'names the parts that print more' },
  { names: 'NPM_CONFIG_LOGLEVEL', values: WORD, programs: JAVASCRIPT, because: 'changes how much npm prints' },
  {
    names: 'PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED',
    values: /^\d{0,10}$/,
    programs: PYTHON,
    because: 'is a number that changes how output and caches are written',
  },
  {
    names: 'RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR',
    values: /^[\w:,=-]{0,128}$/,
    programs: new Set(['cargo']),
    because: 'changes what is printed',
  },
  { names: 'CGO_ENABLED', values: /^[01]$/, programs: new Set(['go']), because: 'builds without C' },
  {
    names: 'GOOS GOARCH',
    values: /^[a-z0-9]{1,16}$/,
    programs: new Set(['go']),
    because: 'names the machine to build for',
  },
  {
    names: 'RAILS_ENV RACK_ENV',
    values: WORD,
    programs: new Set(['rails', 'bundle']),
    because: 'is a word that the project reads',
  },
  { names: 'MIX_ENV', values: WORD, programs: new Set(['mix']), because: 'is a word that the project reads' },
  {
    names: 'GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS',
    values: /^[01]$/,
    because: 'makes git ask or lock less',
  },
  {
    names: 'GIT_PAGER PAGER MANPAGER GIT_EDITOR EDITOR GIT_SEQUENCE_EDITOR',
    values: /^(?:|cat|true|:)$/,
    because: 'shows text without a pager or an editor',
  },
];

const BY_NAME = new Map(HARMLESS.flatMap((entry) => entry.names.split(' ').map((name) => [name, entry] as const)));

/** May be given to this program without the rule naming it. `value` is undefined when it is not known. */
export function isHarmlessSetting(name: string, value: string | undefined, program: string): boolean {
  const entry = BY_NAME.get(name);
  if (entry === undefined || value === undefined || !entry.values.test(value)) return false;
  return entry.programs === undefined ? !turnsVariablesIntoSettings(program) : entry.programs.has(program);
}

/** `make` takes every variable of its environment for one of the makefile, and expands what is in it. */
function turnsVariablesIntoSettings(program: string): boolean {
  return TAKES_ALL.has(program);
}

const TAKES_ALL = new Set('make gmake bmake nmake just task rake'.split(' '));
