import { acceptsMcpServer } from '../capabilities.ts';
import type { ParamsOf } from '../methods.ts';
import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from '../v1/methods.gen.ts';
import type { McpCapabilities, McpServer, PermissionOption } from '../v1/types.gen.ts';
import type { Problem } from '../validation/problem.ts';
import { ValidationError } from '../validation/validation-error.ts';
import { broken, type Path } from './broken.ts';
import { type ContentRules, checkPrompt } from './content.ts';
import { checkLine, checkPath, checkPaths, checkToolCallPaths, firstProblem } from './paths.ts';

/** What the receiver advertised; the rules about content and MCP servers depend on it. */
export interface RuleContext extends ContentRules {
  readonly mcpCapabilities?: McpCapabilities | null;
}

type Methods = AgentRequests & ClientRequests & AgentNotifications & ClientNotifications;

type Rule<Method extends keyof Methods> = (
  params: ParamsOf<Methods, Method>,
  context: RuleContext,
) => Problem | undefined;

/** The rules of the specification that the schema does not express, by method. */
const RULES: { readonly [Method in keyof Methods]?: Rule<Method> } = {
  'session/new': checkRoots,
  'session/load': checkRoots,
  'session/resume': checkRoots,
  'session/list': ({ cwd }) => checkPath(cwd, ['cwd']),
  'session/prompt': ({ prompt }, context) => checkPrompt(prompt, ['prompt'], context),
  'fs/read_text_file': ({ path, line }) => checkPath(path, ['path']) ?? checkLine(line, ['line']),
  'fs/write_text_file': ({ path }) => checkPath(path, ['path']),
  'terminal/create': ({ cwd }) => checkPath(cwd, ['cwd']),
  'session/request_permission': ({ options, toolCall }) =>
    checkOptions(options) ?? checkToolCallPaths(toolCall, ['toolCall']),
  'session/update': ({ update }) =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update'
      ? checkToolCallPaths(update, ['update'])
      : undefined,
};

/** The first rule that the params break, if any. They must have passed the validator already. */
export function checkRules<Method extends keyof Methods>(
  method: Method,
  params: ParamsOf<Methods, Method>,
  context: RuleContext = {},
): Problem | undefined {
  return Object.hasOwn(RULES, method) ? RULES[method]?.(params, context) : undefined;
}

/** Throws `ValidationError` when the params break a rule. */
export function enforceRules<Method extends keyof Methods>(
  method: Method,
  params: ParamsOf<Methods, Method>,
  context: RuleContext = {},
): void {
  const problem = checkRules(method, params, context);
  if (problem) throw new ValidationError(problem);
}

interface Roots {
  readonly cwd: string;
  readonly additionalDirectories?: string[];
  readonly mcpServers?: McpServer[];
}

function checkRoots(params: Roots, context: RuleContext): Problem | undefined {
  return (
    checkPath(params.cwd, ['cwd']) ??
    checkPaths(params.additionalDirectories, ['additionalDirectories']) ??
    checkServers(params.mcpServers ?? [], ['mcpServers'], context)
  );
}

function checkServers(servers: readonly McpServer[], path: Path, context: RuleContext): Problem | undefined {
  return firstProblem(servers, (server, index) => {
    if ('type' in server && !acceptsMcpServer(context.mcpCapabilities, server)) {
      return broken([...path, index, 'type'], 'a transport advertised in mcpCapabilities', `"${server.type}"`);
    }
    const fields = server as unknown as Readonly<Record<string, unknown>>;
    const empty = SERVER_FIELDS.find((name) => fields[name] === '');
    return empty === undefined ? undefined : broken([...path, index, empty], 'a non-empty string', 'an empty string');
  });
}

/** What names and reaches an MCP server; the schema lets each of them be empty. */
const SERVER_FIELDS = ['name', 'command', 'url', 'serverId'] as const;

/** A person must have something to choose from, and an answer must name one choice. */
function checkOptions(options: readonly PermissionOption[]): Problem | undefined {
  if (options.length === 0) return broken(['options'], 'at least one option', 'an empty list');
  const ids = new Set<string>();
  return firstProblem(options, ({ optionId }, index) => {
    if (ids.has(optionId)) return broken(['options', index, 'optionId'], 'an id of its own', 'one used before');
    ids.add(optionId);
    return undefined;
  });
}
