import type { CreateTerminalRequest, ToolCallUpdate } from '@parley/protocol';
import { readCommandInput } from './command-input.ts';
import { isRecord } from './record.ts';
import type { ToolRequest } from './request.ts';
import { parseSafetyLevel, type SafetyHints } from './safety.ts';

/** Reads a tool call as agents send it into a request. What an agent does not tell stays open, and open means asking. */
export function requestFromToolCall(toolCall: ToolCallUpdate): ToolRequest {
  const input = isRecord(toolCall.rawInput) ? toolCall.rawInput : {};
  const command = readCommandInput(toolCall.rawInput, toolCall.kind === 'execute');
  const paths = readPaths(toolCall, input);
  const url = firstText(input, ['url', 'uri', 'href']);
  const cwd = firstText(input, ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path', 'directory']);
  const claimedLevel = parseSafetyLevel(claim(toolCall, 'safetyLevel'));
  const hints = readHints(claim(toolCall, 'approvalHints'));
  return {
    tool: toolName(toolCall),
    ...(toolCall.kind ? { kind: toolCall.kind } : {}),
    ...(command ? { command } : {}),
    ...(paths.length > 0 ? { paths } : {}),
    ...(url !== undefined && !url.startsWith('file:') ? { url } : {}),
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

/** Every file that the call names anywhere: its input, its locations, its diffs. */
function readPaths(toolCall: ToolCallUpdate, input: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>();
  for (const name of PATH_FIELDS) {
    const value = input[name];
    for (const item of Array.isArray(value) ? value : [value]) {
      const path = isRecord(item) ? item.path : item;
      if (typeof path === 'string') found.add(path.replace(/^file:\/\/(?=\/)/, ''));
    }
  }
  for (const location of toolCall.locations ?? []) found.add(location.path);
  for (const content of toolCall.content ?? []) if (content.type === 'diff') found.add(content.path);
  return [...found];
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

const MCP_TITLE = /^mcp__\w+$/;
const PATH_FIELDS = [
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
];
