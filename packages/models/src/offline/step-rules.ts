import { asObject, tryParseJson } from '../http/json.ts';
import type { Intent } from './intent.ts';
import { MARK_PATTERN } from './mask-quotes.ts';
import { unmentioned } from './mentions.ts';

/** The parts of a match, put back into words. */
export interface StepParts {
  /** A quoted or bare argument. */
  text(name: string): string;
  /** The same, where "it", or nothing, means the file spoken of before. Undefined when there is none. */
  path(name: string): string | undefined;
  /** As it was written, for a shell. */
  raw(name: string): string;
  has(name: string): boolean;
}

export interface StepRule {
  readonly pattern: RegExp;
  /** Undefined when the words fit but make no sense; the next rule is tried. */
  build(parts: StepParts): Intent | undefined;
}

/** Programs whose names are no other words, so that a line that begins with one is a command line. */
const PROGRAMS =
  'git|npm|npx|pnpm|yarn|node|cargo|python3?|pytest|docker|tsc|deno|bun|go (?:build|test|run|vet|mod|fmt)';

const THE_FILE = '(?:the )?(?:file |contents? of (?:the )?(?:file )?)?';

/** The first rule that fits wins, so the narrow ones come first. All patterns are anchored and know single spaces only. */
export const STEP_RULES: readonly StepRule[] = [
  rule(
    '^(?:help(?: me)?|what (?:can|do) you (?:do|understand)|(?:explain|show|tell me|say) what you (?:can do|understand)|who are you|what are you)$',
    () => ({ kind: 'help' }),
  ),
  rule('^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?:[ ,!]+(?:there|parley|agent))?$', () => ({
    kind: 'greet',
  })),
  rule('^(?:thanks?|thank you|thx|great|nice|good|bye|goodbye)(?: .{0,40})?$', () => ({ kind: 'thank' })),
  rule(
    '^(?:do (?:it|that)|go ahead(?: with it)?|carry it out|implement it|execute (?:it|the plan)|proceed|yes)$',
    () => ({ kind: 'go' }),
  ),
  rule('^(?:summari[sz]e|compact)(?: .{0,200})?\\b(?:conversation|session|history|so far|chat)(?: .{0,200})?$', () => ({
    kind: 'summarize',
  })),
  rule(
    `^(?:call|use)(?: the)?(?: tool)? (?<tool>[\\w.-]+|${MARK_PATTERN})(?: (?:with|using)(?: input)? (?<input>${MARK_PATTERN}))?$`,
    buildCall,
  ),
  rule('^(?:run|execute) (?:the |all )?(?:tests?|test suite)$', () => run('npm test')),
  rule('^(?:run|execute) (?:the )?build$', () => run('npm run build')),
  rule('^(?:run|execute) (?:the )?(?:linter|lint)$', () => run('npm run lint')),
  rule(`^(?:run|execute)(?: the)?(?: command)? (?<command>.+?)(?<background> in the background)?$`, (parts) =>
    nonEmpty(parts.raw('command'), (command) => run(command, parts.has('background'))),
  ),
  rule(`^(?<command>(?:${PROGRAMS})(?: .+)?)$`, (parts) => nonEmpty(parts.raw('command'), (command) => run(command))),
  rule(
    '^(?:fetch|download|get|open|read|show)(?: me)?(?: the)?(?: page| url)?(?: at| from)? (?<url>https?://[^ ]+)$',
    (parts) => ({ kind: 'fetch', url: parts.text('url') }),
  ),
  rule(`^(?:fetch|download)(?: the)?(?: page| url)?(?: at| from)? (?<url>${MARK_PATTERN}|[^ ]+)$`, (parts) => ({
    kind: 'fetch',
    url: parts.text('url'),
  })),
  rule('^ask(?: me)?(?: whether| if| about| for)?:? (?<question>.+)$', (parts) => ({
    kind: 'ask',
    question: parts.text('question'),
  })),
  rule(
    `^(?:replace|substitute|swap)(?<once> the first| one)?(?: all| every| each)? (?<old>.+?) (?:with|by|for) (?<new>.+?) (?:in|inside|within) ${THE_FILE}(?<path>.+)$`,
    buildReplace,
  ),
  rule(`^change (?<old>.+?) (?:to|into) (?<new>.+?) (?:in|inside|within) ${THE_FILE}(?<path>.+)$`, buildReplace),
  rule(
    '^(?:replace|substitute|swap)(?<once> the first| one)?(?: all| every| each)? (?<old>.+?) (?:with|by|for) (?<new>.+)$',
    buildReplace,
  ),
  rule(`^in ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)$`, (parts) =>
    withPath(parts, (path) => ({ kind: 'nothing', path })),
  ),
  rule(`^(?:append|add) (?<text>.+) to (?:the end of )?${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)$`, (parts) =>
    withPath(parts, (path) => ({ kind: 'append', path, text: parts.text('text') })),
  ),
  rule(`^write (?<content>.+) (?:to|into) ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)$`, buildWrite),
  rule(
    `^(?:create|write|make|add)(?: an?| the)?(?: new)?(?: empty)?(?: file)?(?: called| named)? (?<path>${MARK_PATTERN}|[^ :]+):? (?:with|containing|saying|that says)(?: the)?(?: contents?| text)?:? ?(?<content>.+)$`,
    buildWrite,
  ),
  rule(
    `^(?:create|write|make|add)(?: an?| the)?(?: new)?(?: empty)?(?: file)?(?: called| named)? (?<path>${MARK_PATTERN}|[^ :]+):? (?<content>${MARK_PATTERN})$`,
    buildWrite,
  ),
  rule(
    `^(?:create|make|add)(?: an?)?(?: new)?(?: empty)?(?: file)?(?: called| named)? (?<path>${MARK_PATTERN}|[^ ]+[./][^ ]+)$`,
    buildWrite,
  ),
  rule(`^(?:delete|remove|rm) ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)$`, (parts) =>
    withPath(parts, (path) => ({ kind: 'delete', path })),
  ),
  rule(
    `^(?:move|rename|mv) ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+) (?:to |into |as )?(?<to>${MARK_PATTERN}|[^ ]+)$`,
    (parts) => withPath(parts, (from) => ({ kind: 'move', from, to: parts.text('to') })),
  ),
  rule(
    `^(?:find|list|show)(?: me)?(?: all)?(?: the)? files? (?:named|called|matching|like) (?<pattern>${MARK_PATTERN}|[^ ]+)(?: (?:in|under|of) (?<path>.+))?$`,
    buildList,
  ),
  rule(
    `^(?:list|(?<show>show)|find)(?: me)?(?: all)?(?: the)? (?<pattern>${MARK_PATTERN}|[^ ]*[*?][^ ]*)(?: files?)?(?: (?:in|under|of) (?<path>.+))?$`,
    // A name in quotes is to be shown itself.
    (parts) => (parts.has('show') && !/[*?]/.test(parts.text('pattern')) ? undefined : buildList(parts)),
  ),
  rule(
    '^(?:list|ls|show)(?: me)?(?: all)?(?: the)?(?: files| directory| folder| contents?)?(?: (?:here|there)| (?:in|of|under) (?:the )?(?:directory |folder )?(?<path>.+))?$',
    buildList,
  ),
  rule('^(?:list|ls) (?:the )?(?:directory |folder )?(?<path>[^ ]+)$', buildList),
  rule(
    `^(?:what(?:'s| is) in|what does) ${THE_FILE}(?<path>${MARK_PATTERN}|@?[^ ]*\\.\\w{1,8})(?: (?:say|contain|hold))?$`,
    buildRead,
  ),
  rule("^what(?: files)?(?:'s| is| are) in (?<path>.+)$", buildList),
  rule('^(?:what|which) files (?:are|do you see)(?: here| there)?$', buildList),
  rule('^(?:review|look at) (?:this|the|my) (?:changes?|diff)$', () => run('git diff')),
  rule(
    '^(?:what does (?:this|the) (?:project|repo(?:sitory)?|code) do|what is (?:this|the) (?:project|repo(?:sitory)?)(?: about)?|(?:explain|describe|summari[sz]e) (?:this|the) (?:project|repo(?:sitory)?|code ?base))$',
    () => ({ kind: 'read', path: 'README.md' }),
  ),
  rule(
    `^(?:explain|summari[sz]e|describe|review|check|look at|analy[sz]e) ${THE_FILE}(?<path>@(?:${MARK_PATTERN}|[^ ]+)|[^ ]*\\.\\w{1,8})$`,
    buildRead,
  ),
  rule(
    '^(?:search|grep|look|find)(?: for)?(?: the)?(?: text| string| word)? (?<pattern>.+?) (?:in|inside|under|within) (?:the )?(?:directory |folder |file )?(?<path>.+)$',
    buildSearch,
  ),
  rule('^(?:search|grep|look|find)(?: for)?(?: the)?(?: text| string| word)? (?<pattern>.+)$', buildSearch),
  rule('^where is (?<pattern>.+?)(?: (?:used|defined|declared|called))?$', buildSearch),
  rule(
    `^(?:read|open|cat|show|view|display|print)(?: me)? lines? (?<start>\\d{1,9})(?: ?(?:-|to|through) ?(?<end>\\d{1,9}))? (?:of|from|in) ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)$`,
    buildRead,
  ),
  rule(
    `^(?:read|open|cat|show|view|display|print)(?: me)? ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+),? lines? (?<start>\\d{1,9})(?: ?(?:-|to|through) ?(?<end>\\d{1,9}))?$`,
    buildRead,
  ),
  rule(
    `^(?:read|open|cat|show|view|display|print)(?: me)? ${THE_FILE}(?<path>${MARK_PATTERN}|[^ ]+)(?: file)?$`,
    buildRead,
  ),
  rule(`^@(?<path>${MARK_PATTERN}|[^ ]+)$`, buildRead),
];

function rule(pattern: string, build: StepRule['build']): StepRule {
  return { pattern: new RegExp(`(?<all>${pattern})`, 'i'), build };
}

/** "Show me the output": it is shown anyway. */
const SHOWN_ANYWAY = /^(?:the )?(?:output|results?|answer|diff|everything)$/i;

function buildRead(parts: StepParts): Intent | undefined {
  if (SHOWN_ANYWAY.test(parts.text('path'))) return { kind: 'nothing' };
  const start = parts.has('start') ? Number(parts.text('start')) : undefined;
  const end = parts.has('end') ? Number(parts.text('end')) : start;
  return withPath(parts, (path) => ({
    kind: 'read',
    path,
    ...(start === undefined ? {} : { startLine: start }),
    ...(end === undefined ? {} : { endLine: end }),
  }));
}

function buildList(parts: StepParts): Intent {
  const path = parts.has('path') ? unmentioned(parts.text('path')) : '';
  return {
    kind: 'list',
    ...(path === '' ||
    /^(?:this|the|current)(?: (?:current )?(?:directory|folder|project|repo(?:sitory)?))$|^here$/i.test(path)
      ? {}
      : { path }),
    ...(parts.has('pattern') ? { pattern: parts.text('pattern') } : {}),
  };
}

function buildSearch(parts: StepParts): Intent | undefined {
  const path = parts.has('path') ? parts.path('path') : undefined;
  return nonEmpty(parts.text('pattern'), (pattern) => ({
    kind: 'search',
    pattern,
    ...(path === undefined || path === '' ? {} : { path }),
  }));
}

function buildReplace(parts: StepParts): Intent | undefined {
  return withPath(parts, (path) =>
    nonEmpty(parts.text('old'), (oldText) => ({
      kind: 'replace',
      path,
      oldText,
      newText: parts.text('new'),
      isOnce: parts.has('once'),
    })),
  );
}

function buildWrite(parts: StepParts): Intent | undefined {
  return withPath(parts, (path) => ({
    kind: 'write',
    path,
    content: parts.has('content') ? parts.text('content') : '',
  }));
}

function buildCall(parts: StepParts): Intent | undefined {
  const tool = parts.text('tool');
  const input = parts.has('input') ? asObject(tryParseJson(parts.text('input'))) : {};
  return input === undefined || !/^[\w.-]+$/.test(tool) ? undefined : { kind: 'call', tool, input };
}

function run(command: string, isBackground = false): Intent {
  return { kind: 'run', command, isBackground };
}

function withPath(parts: StepParts, build: (path: string) => Intent | undefined): Intent | undefined {
  const path = parts.path('path');
  return path ? build(path) : undefined;
}

function nonEmpty(text: string, build: (text: string) => Intent): Intent | undefined {
  return text === '' ? undefined : build(text);
}
