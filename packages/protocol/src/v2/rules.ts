import type { ParamsOf } from '../methods.ts';
import { checkOptions, checkServerFields } from '../rules/both-versions.ts';
import { broken, type Path } from '../rules/broken.ts';
import { checkPath, checkPaths, firstProblem } from '../rules/paths.ts';
import type { Problem } from '../validation/problem.ts';
import { ValidationError } from '../validation/validation-error.ts';
import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from './methods.gen.ts';
import type {
  ContentBlock,
  DiffChange,
  McpServer,
  RequestPermissionSubject,
  SessionCapabilities,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from './types.gen.ts';

/** What the agent advertised in `capabilities.session`; the rules about content and MCP servers depend on it. */
export type RuleContext = Pick<SessionCapabilities, 'prompt' | 'mcp'>;

type Methods = AgentRequests & ClientRequests & AgentNotifications & ClientNotifications;

type Rule<Method extends keyof Methods> = (
  params: ParamsOf<Methods, Method>,
  context: RuleContext,
) => Problem | undefined;

/** The rules of version 2 that its schema does not express, by method. */
const RULES: { readonly [Method in keyof Methods]?: Rule<Method> } = {
  'session/new': checkRoots,
  'session/resume': checkRoots,
  'session/list': ({ cwd }) => checkPath(cwd, ['cwd']),
  'session/prompt': ({ prompt }, context) => checkPrompt(prompt, context),
  'session/request_permission': ({ title, options, subject }) =>
    checkTitle(title) ?? checkOptions(options) ?? checkSubject(subject),
  'session/update': ({ update }) => checkUpdate(update),
};

/** The first rule of version 2 that the params break, if any. They must have passed the validator already. */
export function checkRules<Method extends keyof Methods>(
  method: Method,
  params: ParamsOf<Methods, Method>,
  context: RuleContext = {},
): Problem | undefined {
  return Object.hasOwn(RULES, method) ? RULES[method]?.(params, context) : undefined;
}

/** Throws `ValidationError` when the params break a rule of version 2. */
export function enforceRules<Method extends keyof Methods>(
  method: Method,
  params: ParamsOf<Methods, Method>,
  context: RuleContext = {},
): void {
  const problem = checkRules(method, params, context);
  if (problem) throw new ValidationError(problem);
}

type Fields = Readonly<Record<string, unknown>>;

interface Roots {
  readonly cwd: string;
  readonly additionalDirectories?: string[];
  readonly mcpServers?: McpServer[];
}

function checkRoots({ cwd, additionalDirectories, mcpServers }: Roots, { mcp }: RuleContext): Problem | undefined {
  return (
    checkPath(cwd, ['cwd']) ??
    checkPaths(additionalDirectories, ['additionalDirectories']) ??
    firstProblem(mcpServers ?? [], (server, index) => checkServer(server, ['mcpServers', index], mcp))
  );
}

function checkServer(server: McpServer, path: Path, offered: RuleContext['mcp']): Problem | undefined {
  const isOffered = typeof (offered as Fields | null | undefined)?.[server.type] === 'object';
  // What is custom was agreed upon elsewhere.
  if (!server.type.startsWith('_') && (!isOffered || (offered as Fields)[server.type] === null)) {
    return broken([...path, 'type'], 'a transport advertised in capabilities.session.mcp', `"${server.type}"`);
  }
  return checkServerFields(server, path);
}

/** Blocks beyond text and links, each with the capability that it needs. */
const CONTENT_GATES: Readonly<Record<string, string>> = {
  image: 'image',
  audio: 'audio',
  resource: 'embeddedContext',
};

function checkPrompt(prompt: readonly ContentBlock[], { prompt: offered }: RuleContext): Problem | undefined {
  if (prompt.length === 0) return broken(['prompt'], 'at least one content block', 'an empty list');
  return firstProblem(prompt, (block, index) => {
    const gate = Object.hasOwn(CONTENT_GATES, block.type) ? CONTENT_GATES[block.type] : undefined;
    const isTaken = gate === undefined || isMarker((offered as Fields | null | undefined)?.[gate]);
    if (isTaken) return undefined;
    const expected = 'content that the agent advertised in capabilities.session.prompt';
    return broken(['prompt', index, 'type'], expected, `"${block.type}"`);
  });
}

function isMarker(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function checkTitle(title: string): Problem | undefined {
  return title.trim() === '' ? broken(['title'], 'a title that says something', 'an empty string') : undefined;
}

function checkSubject(subject: RequestPermissionSubject | null | undefined): Problem | undefined {
  const { type, cwd, toolCall }: Fields = { ...subject };
  if (type === 'command') return checkPath(cwd as string, ['subject', 'cwd']);
  return type === 'tool_call' ? checkToolCall(toolCall as ToolCallUpdate, ['subject', 'toolCall']) : undefined;
}

function checkUpdate(update: SessionUpdate): Problem | undefined {
  const { sessionUpdate, content, cwd }: Fields = { ...update };
  switch (sessionUpdate) {
    case 'tool_call_update':
      return checkToolCall(update as ToolCallUpdate, ['update']);
    case 'tool_call_content_chunk':
      return checkContent(content as ToolCallContent, ['update', 'content']);
    case 'terminal_update':
      return checkPath(cwd as string | null | undefined, ['update', 'cwd']);
    default:
      return undefined;
  }
}

/** Checks the files a tool call names: in its locations and in its diffs. */
function checkToolCall(call: Pick<ToolCallUpdate, 'content' | 'locations'>, path: Path): Problem | undefined {
  return (
    firstProblem(call.locations ?? [], (location, index) =>
      checkPath(location.path, [...path, 'locations', index, 'path']),
    ) ?? firstProblem(call.content ?? [], (content, index) => checkContent(content, [...path, 'content', index]))
  );
}

function checkContent(content: ToolCallContent, path: Path): Problem | undefined {
  if (content.type !== 'diff') return undefined;
  const { changes } = content as { readonly changes: readonly DiffChange[] };
  return firstProblem(changes, (change, index) => {
    const { path: file, oldPath }: Fields = { ...change };
    const where = [...path, 'changes', index];
    // A change of a kind that we do not know may name its files in its own way.
    const check = (value: unknown, name: string): Problem | undefined =>
      typeof value === 'string' ? checkPath(value, [...where, name]) : undefined;
    return check(file, 'path') ?? check(oldPath, 'oldPath');
  });
}
