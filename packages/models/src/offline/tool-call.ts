import { asObject } from '../http/json.ts';
import type { ToolDefinition } from '../model/model.ts';
import type { Action } from './intent.ts';

/** A call that the offline model would make. */
export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The arguments in our own words; `fitInput` puts them into the words of the tool's schema. */
type Arguments = Readonly<Partial<Record<keyof typeof NAMES, unknown>>>;

/** What the same argument is called by different tools; the first name is the one that Parley's own tools use. */
const NAMES = {
  path: ['path', 'file_path', 'filePath', 'file', 'filename', 'directory', 'dir'],
  startLine: ['line', 'start_line', 'startLine', 'offset'],
  endLine: ['end_line', 'endLine'],
  lineCount: ['limit', 'line_count', 'lines'],
  pattern: ['pattern', 'query', 'regex', 'search', 'glob', 'text'],
  literal: ['literal', 'fixed_strings'],
  glob: ['pattern', 'glob', 'include'],
  oldText: ['old_text', 'oldText', 'old_string', 'old_str', 'search', 'find'],
  newText: ['new_text', 'newText', 'new_string', 'new_str', 'replace', 'replacement'],
  recursive: ['recursive'],
  replaceAll: ['replace_all', 'replaceAll'],
  content: ['content', 'contents', 'text', 'file_text'],
  append: ['append'],
  from: ['from', 'source', 'old_path', 'path', 'src'],
  to: ['to', 'destination', 'new_path', 'target', 'dest'],
  command: ['command', 'cmd', 'script'],
  background: ['background', 'run_in_background', 'is_background'],
  url: ['url', 'uri', 'address'],
  question: ['question', 'prompt', 'message'],
  entries: ['entries', 'todos', 'plan', 'items', 'steps'],
  plan: ['plan', 'summary', 'text'],
} as const;

/** The tool that an action needs. */
export function toolNameFor(action: Action): string {
  return action.kind === 'call' ? action.tool : TOOL_NAMES[action.kind];
}

const TOOL_NAMES: Readonly<Record<Exclude<Action['kind'], 'call'>, string>> = {
  read: 'read_file',
  list: 'list_files',
  search: 'search_files',
  replace: 'edit_file',
  write: 'write_file',
  append: 'write_file',
  delete: 'delete_file',
  move: 'move_file',
  run: 'run_command',
  fetch: 'fetch_url',
  ask: 'ask_user',
};

/** The call that carries out an action, or undefined when its tool is not offered right now. */
export function callFor(action: Action, tools: readonly ToolDefinition[]): PlannedCall | undefined {
  const wanted = toolNameFor(action);
  const tool = tools.find(({ name }) => name === wanted) ?? tools.find(({ name }) => name === `sandbox_${wanted}`);
  if (tool === undefined) return undefined;
  if (action.kind === 'call') return { name: tool.name, input: action.input };
  if (action.kind === 'append' && !hasProperty(tool, NAMES.append)) return appendByShell(action, tools);
  return { name: tool.name, input: fitInput(tool, argumentsOf(action, tool)) };
}

/** Names the arguments as the tool's schema does. */
export function fitInput(tool: ToolDefinition, args: Arguments): Readonly<Record<string, unknown>> {
  const properties = asObject(tool.inputSchema.properties) ?? {};
  const taken = new Set<string>();
  const input: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    const names = NAMES[key as keyof typeof NAMES];
    const name = names.find((candidate) => candidate in properties && !taken.has(candidate)) ?? names[0];
    taken.add(name);
    input[name] = value;
  }
  return input;
}

function argumentsOf(action: Exclude<Action, { kind: 'call' }>, tool: ToolDefinition): Arguments {
  switch (action.kind) {
    case 'read':
      return { path: action.path, ...lineRange(action, tool) };
    case 'list': {
      const { path, pattern } = action;
      const isDeep = pattern !== undefined && hasProperty(tool, NAMES.recursive);
      return {
        ...(path === undefined ? {} : { path }),
        ...(pattern === undefined ? {} : { glob: pattern }),
        ...(isDeep && { recursive: true }),
      };
    }
    case 'search':
      return {
        pattern: action.pattern,
        ...(action.path === undefined ? {} : { path: action.path }),
        // A person who asks for "f(x" means those very letters.
        ...(hasProperty(tool, NAMES.literal) && { literal: true }),
      };
    case 'replace':
      return { path: action.path, oldText: action.oldText, newText: action.newText, replaceAll: !action.isOnce };
    case 'write':
      return { path: action.path, content: action.content };
    case 'append':
      return { path: action.path, content: `${action.text}\n`, append: true };
    case 'delete':
      return { path: action.path };
    case 'move':
      return { from: action.from, to: action.to };
    case 'run':
      return { command: action.command, ...(action.isBackground && { background: true }) };
    case 'fetch':
      return { url: action.url };
    case 'ask':
      return { question: action.question };
  }
}

/** Some tools want the last line, others how many. */
function lineRange({ startLine, endLine }: Extract<Action, { kind: 'read' }>, tool: ToolDefinition): Arguments {
  if (startLine === undefined || endLine === undefined) return {};
  if (hasProperty(tool, NAMES.endLine)) return { startLine, endLine };
  return { startLine, lineCount: Math.max(1, endLine - startLine + 1) };
}

/** A tool that can only write whole files would lose what is there; the shell appends. */
function appendByShell(
  { path, text }: Extract<Action, { kind: 'append' }>,
  tools: readonly ToolDefinition[],
): PlannedCall | undefined {
  const tool = tools.find(({ name }) => name === TOOL_NAMES.run);
  if (tool === undefined) return undefined;
  return { name: tool.name, input: fitInput(tool, { command: `printf '%s\\n' ${quote(text)} >> ${quote(path)}` }) };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function hasProperty(tool: ToolDefinition, names: readonly string[]): boolean {
  const properties = asObject(tool.inputSchema.properties) ?? {};
  return names.some((name) => name in properties);
}
