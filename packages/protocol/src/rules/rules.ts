import { acceptsMcpServer } from '../capabilities.ts';
import type { ParamsOf } from '../methods.ts';
import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from '../v1/methods.gen.ts';
import type { McpCapabilities, McpServer } from '../v1/types.gen.ts';
import type { Problem } from '../validation/problem.ts';
import { ValidationError } from '../validation/validation-error.ts';
import { checkOptions, checkServerFields } from './both-versions.ts';
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
    return checkServerFields(server, [...path, index]);
  });
}
