import { isRecord } from '@parley/jsonrpc/internal';
import type { ToolKind } from '@parley/protocol';
import { ARGUMENT_FIELDS, COMMAND_FIELDS, ENVIRONMENT_FIELDS, EXECUTE_FIELDS } from '../request/command-input.ts';
import type { CommandInput, ToolRequest } from '../request/request.ts';
import { FOLDER_FIELDS, URL_FIELDS } from '../request/tool-call.ts';
import { isMcpName, kindOfName } from '../request/tool-class.ts';
import { resolvePath } from '../workspace/paths.ts';

/**
 * One text for one request, different for every other: what is run or touched, with what else, and in which folder. Without `cwd`
 * the key is for the request in any folder, which only an answer with scope `user` uses.
 *
 * Undefined for a request that cannot be identified: some agents name a command in the title only, and titles are for people.
 * Answers to such requests are never remembered, as they would hold for every other request of the kind.
 */
export function requestKey(request: ToolRequest, cwd: string | undefined): string | undefined {
  const { tool, kind = kindOfName(tool), command, paths, url, carries = [] } = request;
  const input = sortKeys(inputOf(request, kind), 0);
  const isIdentified = isRunnable(command) || saysWhat({ tool, kind, paths, url, input: request.input });
  if (!isIdentified || input === TOO_DEEP) return undefined;
  const folder = cwd === undefined ? '' : resolvePath(cwd, request.cwd ?? '.');
  const parts = [folder, tool, request.kind ?? '', command ?? null, paths ?? null, url ?? null, input ?? null];
  return JSON.stringify(carries.length === 0 ? parts : [...parts, carries]);
}

/** Does a stored key identify a request? Earlier versions stored some with nothing but a kind and a folder. */
export function identifiesRequest(key: string): boolean {
  const [, tool, kind, command, paths, url, input] = readKey(key);
  return !isEmpty(command) || saysWhat({ tool: String(tool), kind, paths, url, input });
}

function readKey(key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(key);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

interface Facts {
  readonly tool: string;
  readonly kind: unknown;
  readonly paths: unknown;
  readonly url: unknown;
  readonly input: unknown;
}

/** Does the request say what it does? A file that a command or an unknown tool merely names does not. */
function saysWhat({ tool, kind, paths, url, input }: Facts): boolean {
  if (!isEmpty(input)) return true;
  if (isMcpName(tool)) return false;
  return kind === 'fetch' ? !isEmpty(url) : FILE_KINDS.has(kind) && !isEmpty(paths);
}

type Runnable = Exclude<CommandInput, { readonly type: 'unclear' }>;

function isRunnable(command: CommandInput | undefined): command is Runnable {
  return command !== undefined && command.type !== 'unclear';
}

/** `{}`, `[]` and `""` say as little as nothing. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** What the tool was given, but for what stands in the key already and for notes to the person. */
function inputOf({ tool, command, cwd, paths, url, input }: ToolRequest, kind: ToolKind | undefined): unknown {
  if (isRunnable(command)) return without(input, [...readFrom(command), [FOLDER_FIELDS, cwd]], NOTES);
  if (command !== undefined || isMcpName(tool)) return input;
  if (kind === 'fetch' && !isEmpty(url)) return without(input, [[URL_FIELDS, url]], [...NOTES, 'prompt']);
  // The answer covers reading or changing this file, with any content.
  return kind !== 'move' && FILE_KINDS.has(kind) && !isEmpty(paths) ? undefined : input;
}

/** Names of fields, and a value that stands in the key already. */
type Known = readonly [names: readonly string[], value: unknown];

/** The shapes in which an input holds a command. */
function readFrom(command: Runnable): readonly Known[] {
  const names = [...COMMAND_FIELDS, ...EXECUTE_FIELDS];
  const environment: Known = [ENVIRONMENT_FIELDS, command.environment];
  if (command.type === 'line') return [[names, command.line], environment];
  const [program, ...rest] = command.words;
  return [[names, command.words], [names, program], [ARGUMENT_FIELDS, rest], environment];
}

/** The fields of an input without those that are known or only notes; undefined when nothing else is left. */
function without(input: unknown, known: readonly Known[], notes: readonly string[]): unknown {
  if (!isRecord(input)) return undefined;
  const isKnown = (name: string, value: unknown): boolean =>
    known.some(([names, each]) => names.includes(name) && JSON.stringify(each) === JSON.stringify(value));
  const rest = Object.entries(input).filter(
    ([name, value]) => value !== undefined && value !== null && !notes.includes(name) && !isKnown(name, value),
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** The same JSON for the same data, whatever order its fields came in. */
function sortKeys(value: unknown, depth: number): unknown {
  if (depth > MAX_INPUT_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    const items = value.map((item) => sortKeys(item, depth + 1));
    return items.includes(TOO_DEEP) ? TOO_DEEP : items;
  }
  if (!isRecord(value)) return value ?? null;
  const names = Object.keys(value).sort();
  const fields = names.map((name) => sortKeys(value[name], depth + 1));
  return fields.includes(TOO_DEEP) ? TOO_DEEP : Object.fromEntries(names.map((name, index) => [name, fields[index]]));
}

/** What cannot be compared whole is not compared. */
const TOO_DEEP: unique symbol = Symbol('too deep');
/** How deep a tool's input is compared. */
const MAX_INPUT_DEPTH = 32;
/** Kinds that say what is done to the files that a request names. */
const FILE_KINDS: ReadonlySet<unknown> = new Set<ToolKind>(['read', 'search', 'edit', 'delete', 'move']);
/** Fields that change nothing about a command or a page; agents write them differently each time. */
const NOTES = ['description', 'explanation', 'justification', 'reason', 'timeout', 'timeout_ms', 'timeoutMs'];
