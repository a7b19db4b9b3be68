import { decide, kindsOf } from '../judge/decide.ts';
import type { Decision } from '../judge/decision.ts';
import { createPolicy } from '../judge/policy.ts';
import type { RememberScope } from '../memory/remembered.ts';
import { readUrl } from '../pattern/url-pattern.ts';
import type { ToolRequest } from '../request/request.ts';
import type { CommandPart } from '../shell/analysis.ts';
import { readArguments, readCommandLine } from '../shell/read-command-line.ts';

/** A rule for this request and others like it, in words for the person who is asked. */
export interface WiderRule {
  readonly kind: 'edits' | 'commands' | 'pages' | 'agent';
  readonly rule: string;
  readonly shown: string;
  /** How far it may reach. */
  readonly scopes: readonly RememberScope[];
}

/** All edits in this folder, commands that begin as this one does, pages of this host, or every use of an agent; nothing where that would not cover the request, or too much. */
export function widerRule(request: ToolRequest, decision: Decision, cwd: string): WiderRule | undefined {
  if (!decision.canRemember || decision.reason !== 'no-rule') return undefined;
  const wider = kindsOf(request).every((kind) => kind === 'edit')
    ? ({ kind: 'edits', rule: 'Edit(./**)', shown: 'all edits in this folder', scopes: ['session'] } as const)
    : (pagesLike(request) ?? agentLike(request) ?? commandsLike(request, decision, cwd));
  if (wider === undefined) return undefined;
  const policy = createPolicy({ workspace: { cwd }, rules: [wider.rule] });
  return decide(policy, request).verdict === 'allow' ? wider : undefined;
}

/** An address with a user in it stands for itself alone, and so does one of this machine or of a number. */
function pagesLike(request: ToolRequest): WiderRule | undefined {
  const host = request.url === undefined ? undefined : readUrl(request.url)?.host;
  if (host === undefined || !HOST_NAME.test(host) || !kindsOf(request).every((kind) => kind === 'fetch'))
    return undefined;
  return { kind: 'pages', rule: `WebFetch(domain:${host})`, shown: `all pages of ${host}`, scopes: ['session'] };
}

/** An agent that ours calls as a tool is asked something else each time, so its name is all that can be allowed. */
function agentLike({ tool }: ToolRequest): WiderRule | undefined {
  if (!AGENT_TOOL.test(tool)) return undefined;
  return { kind: 'agent', rule: tool, shown: `every use of ${tool}`, scopes: ['session', 'project'] };
}

/** Of a line with one command that nothing allows yet: that command without its further arguments. */
function commandsLike({ command }: ToolRequest, decision: Decision, cwd: string): WiderRule | undefined {
  const open = decision.parts.filter(({ verdict }) => verdict !== 'allow').map(({ text }) => text);
  if (open.length !== 1 || command === undefined || command.type === 'unclear' || command.environment) return undefined;
  const where = { directories: [cwd], home: undefined, shell: 'any', environment: [] } as const;
  const parts = command.type === 'line' ? readCommandLine(command.line, where) : readArguments(command.words, where);
  const part = parts.find((each): each is CommandPart => each.type === 'command' && each.text === open[0]);
  const begin = part && beginOf(part);
  if (begin === undefined) return undefined;
  return {
    kind: 'commands',
    rule: `Bash(${begin} *)`,
    shown: `commands that begin with \`${begin}\``,
    scopes: ['session'],
  };
}

/**
 * Program and subcommand, as in `npm test` or `npm run build`. A program alone is too much, and so is one whose next word is an
 * option or a file: `rm old.txt` says nothing of what else may be removed.
 */
function beginOf({ words, environment, files }: CommandPart): string | undefined {
  const count = RUNNERS.has(words[1]?.value ?? '') ? 3 : 2;
  const begin = words.slice(0, count);
  const names = new Set(files.filter(({ access }) => access !== 'touch').map(({ word }) => word.text));
  const isPlain = begin.every(({ value, text }, index) => value === text && (index === 0 ? PROGRAM : WORD).test(text));
  if (environment.length > 0 || begin.length < count || !isPlain || begin.some(({ text }) => names.has(text))) {
    return undefined;
  }
  return begin.map(({ text }) => text).join(' ');
}

/** Subcommands that say only that something is run; what it is comes next. */
const RUNNERS: ReadonlySet<string> = new Set(['run', 'run-script', 'exec', 'x', 'dlx', 'tool']);
const AGENT_TOOL = /^agent__[\w-]+$/;
const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/;
const PROGRAM = /^[\w][\w+-]*$/;
const WORD = /^[a-zA-Z][\w:-]*$/;
