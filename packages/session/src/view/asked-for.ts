import { textOfToolCall } from '@parley/protocol';
import { type ToolCallContent, textOfChanges } from '../parts.ts';
import type { PermissionQuestion } from '../question.ts';
import { diffPartsOf, shownDiffsOf } from './file-diffs.ts';
import type { FoldLimits } from './fold-text.ts';

/** Everything that a permission is asked for. A view shows all of it, and folds what is long. */
export interface AskedFor {
  readonly title: string;
  /** What the agent says besides the title. */
  readonly words: readonly string[];
  /** The command as it will be run, and where. */
  readonly command?: { readonly text: string; readonly cwd: string };
  /** The address that it fetches, or sends to. */
  readonly url?: string;
  /** Files that neither the title nor the changes name. */
  readonly paths: readonly string[];
  /** Text that the call shows, where it says more than the command. */
  readonly text?: string;
  /** Whether the call shows changes of files. */
  readonly hasDiffs: boolean;
  /** What else the tool is given, field by field. */
  readonly input: readonly AskedInput[];
}

/** A part of an input with its name. */
export interface AskedInput {
  readonly name: string;
  readonly text: string;
  /** How much of it is shown at first. */
  readonly fold: FoldLimits;
}

/** A tool call as the rules read it: `requestFromToolCall` of `@parley/policy/request`. */
export interface AskedRequest {
  readonly command?:
    | { readonly type: 'line'; readonly line: string; readonly environment?: Readonly<Record<string, string>> }
    | {
        readonly type: 'arguments';
        readonly words: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
      }
    | { readonly type: 'unclear' };
  readonly cwd?: string;
  readonly url?: string;
  readonly paths?: readonly string[];
}

export interface AskedForOptions {
  /** The folder of the session. */
  readonly cwd: string;
  /** Writes a word of a command as a shell takes it. */
  readonly quote?: (word: string) => string;
}

/** How much of a command, and of the text of a call, is shown at first. */
export const COMMAND_FOLD: FoldLimits = { characters: 8000, lines: 200 };
export const TEXT_FOLD: FoldLimits = { characters: 8000, lines: 60 };
/** The input is all there is to see, or it stands below something that says what happens. */
const FIELD_FOLD: FoldLimits = { characters: 600, lines: 10 };
const REST_FOLD: FoldLimits = { characters: 300, lines: 3 };

/** Reads a question into everything that a person has to know before an answer. */
export function readAskedFor(
  question: PermissionQuestion,
  request: AskedRequest,
  { cwd, quote = quoteWord }: AskedForOptions,
): AskedFor {
  const { toolCall, title: asked, description, subject } = question;
  const content = toolCall.content ?? [];
  const told = subject?.type === 'command' ? subject : undefined;
  const command = told?.command ?? wordCommand(request.command, quote);
  const title = asked ?? toolCall.title ?? toolCall.name ?? toolCall.kind ?? 'a tool call';
  const callTitle = asked === undefined || toolCall.title === command ? undefined : toolCall.title;
  const words = [callTitle, description].filter((each) => each != null && each !== '') as string[];
  const hasDiffs = diffPartsOf(content).length > 0;
  const folder = told?.cwd ?? request.cwd ?? cwd;
  const text = [textOfToolCall(content).trim(), ...otherTexts(content)].filter((each) => each !== '').join('\n');
  const places = hasDiffs ? [] : (toolCall.locations ?? []).map(({ path }) => path);
  const paths = [...new Set(places)].filter(
    (path) => !title.includes(path) && (command === undefined || path !== folder),
  );
  const facts = {
    title,
    words,
    ...(command !== undefined && { command: { text: command, cwd: folder } }),
    ...(request.url !== undefined && { url: request.url }),
    paths,
    ...(text !== '' && text !== command?.trim() && { text }),
    hasDiffs,
  };
  return { ...facts, input: [...readSubject(question), ...readInput(question, request, facts)] };
}

function wordCommand(command: AskedRequest['command'], quote: (word: string) => string): string | undefined {
  if (command === undefined || command.type === 'unclear') return undefined;
  const variables = Object.entries(command.environment ?? {}).map(([name, value]) => `${name}=${quote(value)} `);
  return variables.join('') + (command.type === 'arguments' ? command.words.map(quote).join(' ') : command.line);
}

/** A word as a shell is given it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

interface Link {
  readonly type: string;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly mimeType?: unknown;
}

/** What the call shows besides texts and diffs: changes without a patch, links, and parts that only the agent knows. */
function otherTexts(content: readonly ToolCallContent[]): string[] {
  const diffs = new Set(diffPartsOf(content));
  return content.flatMap((part) => {
    if (part.type === 'changes') return diffs.has(part) ? [] : [textOfChanges(part)];
    if (part.type === 'unknown') return [JSON.stringify(part.raw)];
    if (part.type !== 'content' || part.content.type === 'text') return [];
    if (part.content.type === 'resource') return [JSON.stringify(part.content.resource)];
    const { type, uri, name, mimeType }: Link = part.content;
    return [[type, name, uri, mimeType].filter((each) => each != null).join(' ')];
  });
}

/** A subject of a kind that is not known, as it came. */
function readSubject({ subject }: PermissionQuestion): AskedInput[] {
  return subject?.type === 'unknown' ? [{ name: 'subject', text: pretty(subject.raw), fold: FIELD_FOLD }] : [];
}

/** The fields of the input that are not shown already. Where nothing else says what happens, each of them by itself. */
function readInput(
  { toolCall: { rawInput, content } }: PermissionQuestion,
  request: AskedRequest,
  facts: Omit<AskedFor, 'input'>,
): AskedInput[] {
  if (rawInput === undefined || rawInput === null) return [];
  if (typeof rawInput !== 'object' || Array.isArray(rawInput)) {
    const isCommand = request.command !== undefined && request.command.type !== 'unclear';
    return isCommand ? [] : [{ name: 'input', text: pretty(rawInput), fold: FIELD_FOLD }];
  }
  const isShown = createShownTest(request, facts, content ?? []);
  const rest = Object.entries(rawInput).filter(([name, value]) => value != null && !isShown(name, value));
  if (rest.length === 0) return [];
  const { command, url, hasDiffs } = facts;
  if (command === undefined && url === undefined && !hasDiffs)
    return rest.map(([name, value]) => ({ name, text: pretty(value), fold: FIELD_FOLD }));
  return [{ name: 'with', text: JSON.stringify(Object.fromEntries(rest)), fold: REST_FOLD }];
}

/** Whether a field stands in the question already. What is shown once covers one field. */
function createShownTest(
  { command, cwd, url, paths = [] }: AskedRequest,
  { title, words, command: shown, text, paths: places, hasDiffs }: Omit<AskedFor, 'input'>,
  content: readonly ToolCallContent[],
): (name: string, value: unknown) => boolean {
  const once = new Set<string>();
  const cover = (...values: readonly unknown[]): void => {
    for (const value of values) if (value !== undefined) once.add(JSON.stringify(value));
  };
  if (shown && command?.type === 'line') cover(command.line, command.environment, cwd);
  if (shown && command?.type === 'arguments')
    cover(command.words, command.words[0], command.words.slice(1), command.environment, cwd);
  cover(url, text, ...words);
  const diffs = hasDiffs ? textsOfDiffs(content) : [];
  const named = [...places, ...shownDiffsOf(content).map(({ path }) => path)];
  const isNamed = (value: string): boolean =>
    paths.includes(value) && [...named, title].some((each) => each === value || endsWithPath(each, value));
  const isInDiff = (value: unknown): boolean =>
    leavesOf(value).every((leaf) => diffs.some((each) => each.includes(leaf)) || isNamed(leaf));
  return (name, value) => {
    if (once.delete(JSON.stringify(typeof value === 'string' && value.trim() === text ? text : value))) return true;
    if (typeof value === 'string' && isNamed(value)) return true;
    return hasDiffs && TEXT_FIELD.test(name) && isInDiff(value);
  };
}

/** `Read src/a.ts` and `/proj/src/a.ts` end with `src/a.ts`. */
function endsWithPath(text: string, path: string): boolean {
  return path !== '' && text.endsWith(path) && /[\s/\\`"']/.test(text.charAt(text.length - path.length - 1));
}

function textsOfDiffs(content: readonly ToolCallContent[]): string[] {
  const whole = content.flatMap((part) => (part.type === 'diff' ? [part.oldText ?? '', part.newText] : []));
  const patches = content.flatMap((part) => (part.type === 'changes' && part.patch !== undefined ? [part.patch] : []));
  return [...whole, ...patches];
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** Fields that hold what a file was or shall become. */
const TEXT_FIELD = /^(?:old|new)|content|text|string|replacement|patch|diff|edits|changes/i;

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
