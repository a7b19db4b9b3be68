import { isRecord } from '@parley/jsonrpc/internal';
import type { CreateTerminalRequest, ToolCallUpdate, ToolKind } from '@parley/protocol';
import { readCommandInput } from './command-input.ts';
import type { ToolRequest } from './request.ts';
import { parseSafetyLevel, type SafetyHints } from './safety.ts';

/** Reads a tool call as agents send it into a request. What an agent does not tell stays open, and open means asking. */
export function requestFromToolCall(toolCall: ToolCallUpdate): ToolRequest {
  const input = isRecord(toolCall.rawInput) ? toolCall.rawInput : {};
  const command = readCommandInput(toolCall.rawInput, toolCall.kind === 'execute');
  const paths = readPaths(toolCall);
  const carries = readCarried(toolCall, input);
  const url = firstText(input, URL_FIELDS);
  const cwd = firstText(input, FOLDER_FIELDS);
  const claimedLevel = parseSafetyLevel(claim(toolCall, 'safetyLevel'));
  const hints = readHints(claim(toolCall, 'approvalHints'));
  return {
    tool: toolName(toolCall),
    ...(toolCall.kind ? { kind: toolCall.kind } : {}),
    ...(command ? { command } : {}),
    ...(paths === undefined ? { isUnclear: 'names more files than are looked at' } : {}),
    ...(paths !== undefined && paths.length > 0 ? { paths } : {}),
    ...(carries.length > 0 ? { carries } : {}),
    ...(url !== undefined && !/^file:/i.test(url) ? { url } : {}),
    ...(command && cwd !== undefined ? { cwd } : {}),
    ...(toolCall.title ? { title: toolCall.title } : {}),
    ...(claimedLevel ? { claimedLevel } : {}),
    ...(hints ? { hints } : {}),
    ...(toolCall.rawInput === undefined ? {} : { input: toolCall.rawInput }),
  };
}

/** Reads `terminal/create`, which starts a program without a shell. */
export function requestFromTerminal(params: CreateTerminalRequest): ToolRequest {
  const environment = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
  const hasEnvironment = Object.keys(environment).length > 0;
  return {
    tool: 'terminal',
    kind: 'execute',
    command: {
      type: 'arguments',
      words: [params.command, ...(params.args ?? [])],
      ...(hasEnvironment ? { environment } : {}),
    },
    ...(params.cwd ? { cwd: params.cwd } : {}),
  };
}

/** The tool's own name: a field of newer agents, a note of others, or an MCP name used as the title. */
function toolName(toolCall: ToolCallUpdate): string {
  if (toolCall.name) return toolCall.name;
  for (const note of Object.values(toolCall._meta ?? {})) {
    if (isRecord(note) && typeof note.toolName === 'string') return note.toolName;
  }
  return MCP_TITLE.test(toolCall.title ?? '') ? (toolCall.title ?? '') : '';
}

/** Adds a path unless there are too many already. */
type AddPath = (path: string) => void;

/** Every file that the call names anywhere: its input, its locations, its contents. Nothing when there are too many. */
function readPaths(toolCall: ToolCallUpdate): string[] | undefined {
  const found = new Set<string>();
  const add: AddPath = (path) => found.add(fromFileUrl(path));
  const { locations = [], content = [] } = toolCall;
  if ((locations?.length ?? 0) + (content?.length ?? 0) > MAX_PATHS) return undefined;
  if (!walkInput(toolCall.rawInput, add, { left: MAX_VALUES, depth: MAX_INPUT_DEPTH })) return undefined;
  for (const location of locations ?? []) add(location.path);
  for (const block of content ?? []) {
    if (block.type === 'diff') add(block.path);
    if (block.type === 'content' && !walkInput(block.content, add, { left: MAX_VALUES, depth: 2 })) return undefined;
  }
  return found.size > MAX_PATHS ? undefined : [...found];
}

/** Looks for paths in an input by the names of its fields, and for addresses of files anywhere; false when it is too large. */
function walkInput(value: unknown, add: AddPath, budget: { left: number; readonly depth: number }, name = ''): boolean {
  budget.left -= 1;
  if (budget.left < 0) return false;
  if (typeof value === 'string') {
    if (PATH_FIELDS.has(name) || FILE_URL.test(value)) add(value);
    return true;
  }
  if (Array.isArray(value) || isRecord(value)) {
    if (budget.depth === 0) return true;
    const deeper = { left: budget.left, depth: budget.depth - 1 };
    const entries = Array.isArray(value) ? value.map((item) => [name, item] as const) : Object.entries(value);
    const isWhole = entries.every(([key, item]) => walkInput(item, add, deeper, key));
    budget.left = deeper.left;
    return isWhole;
  }
  return true;
}

/** What the call would do to files besides what its kind says: a diff, or a text beside a path, is an edit. */
function readCarried(toolCall: ToolCallUpdate, input: Readonly<Record<string, unknown>>): readonly ToolKind[] {
  const hasDiff = toolCall.content?.some((block) => block.type === 'diff') ?? false;
  const hasPath = Object.keys(input).some((name) => PATH_FIELDS.has(name));
  const hasText = Object.keys(input).some((name) => NEW_TEXT_FIELDS.has(name));
  return hasDiff || (hasPath && hasText) ? ['edit'] : [];
}

function fromFileUrl(path: string): string {
  if (!FILE_URL.test(path)) return path;
  const plain = path.replace(FILE_URL, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** A field that the specification does not have: some agents put it beside the others, some into `_meta`. */
function claim(toolCall: ToolCallUpdate, name: string): unknown {
  const holders: readonly unknown[] = [toolCall, toolCall._meta, ...Object.values(toolCall._meta ?? {})];
  return holders.filter(isRecord).find((holder) => holder[name] !== undefined)?.[name];
}

function readHints(value: unknown): SafetyHints | undefined {
  if (!isRecord(value)) return undefined;
  const { rollbackSteps, alternativePlan } = value;
  const hints = {
    ...(typeof rollbackSteps === 'string' ? { rollbackSteps } : {}),
    ...(typeof alternativePlan === 'string' ? { alternativePlan } : {}),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

function firstText(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof input[name] === 'string') return input[name];
  return undefined;
}

export const URL_FIELDS: readonly string[] = ['url', 'uri', 'href'];
/** Where a command runs. */
export const FOLDER_FIELDS: readonly string[] = [
  ...['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path', 'directory'],
];
const MCP_TITLE = /^mcp__\w+$/;
const PATH_FIELDS: ReadonlySet<string> = new Set([
  'path',
  'file_path',
  'filePath',
  'filepath',
  'abs_path',
  'absolute_path',
  'absolutePath',
  'target_file',
  'targetFile',
  'notebook_path',
  'filename',
  'file',
  'old_path',
  'new_path',
  'oldPath',
  'newPath',
  'source',
  'destination',
  'source_path',
  'destination_path',
  'from',
  'to',
  'paths',
  'files',
  'file_paths',
  'edits',
]);
/** Fields that hold what a file shall become. */
const NEW_TEXT_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'contents',
  'new_content',
  'newContent',
  'file_text',
  'fileText',
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'old_string',
  'old_str',
  'oldText',
  'replacement',
  'patch',
  'diff',
  'edits',
  'insert_text',
]);
/** `file:///path`, with or without a host. */
const FILE_URL = /^file:(?:\/\/[^/]*(?=\/))?/i;
/** Most files that one call may name, and most values of its input that are looked at. */
const MAX_PATHS = 256;
const MAX_VALUES = 4096;
const MAX_INPUT_DEPTH = 6;
