import type { ToolRequest } from '@parley/policy';
import { meaningOf } from '@parley/policy/options';
import { errorOfKind, type PermissionOption } from '@parley/protocol';
import type { TerminalCreation } from '../terminals/terminal-host.ts';
import type { Approvals } from './approvals.ts';
import type { Permissions } from './permissions.ts';
import type { PolicyJudge } from './policy-judge.ts';

/** No system has longer paths; a longer one is refused before anything looks for it. */
const MAX_PATH_CHARACTERS = 32_768;

/** What was asked and allowed already, so that the same thing is not asked twice in a row. */
const MAX_APPROVED = 1000;

/** Reasons to ask that hold even when the agent does not ask by itself. */
const ASKED_HERE: ReadonlySet<string> = new Set(['rule', 'protected']);

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/**
 * Looks at what the agent does through us, whether it asked for permission or not: what a rule or the mode denies is
 * refused, and what a rule asks about, or a file that decides what may run later (`.git/hooks`, shell start files, agent
 * settings), needs a person's word. Everything else passes, since asking is the agent's business.
 */
export class ServiceGuard {
  readonly #judge: PolicyJudge;
  readonly #permissions: Permissions;
  readonly #approvals: Approvals;
  readonly #approved = new Set<string>();

  constructor(judge: PolicyJudge, permissions: Permissions, approvals: Approvals) {
    this.#judge = judge;
    this.#approvals = approvals;
    this.#permissions = permissions;
  }

  async checkFile(sessionId: string, kind: 'read' | 'edit', path: string, signal: AbortSignal): Promise<void> {
    if (path.length > MAX_PATH_CHARACTERS)
      throw errorOfKind('invalid_params', {
        message: `path: ${path.length} characters are more than a path can have.`,
      });
    const title = `${kind === 'read' ? 'Read' : 'Write'} ${path}`;
    await this.#check(sessionId, { tool: '', kind, paths: [path], title }, signal);
  }

  checkTerminal(request: TerminalCreation, signal: AbortSignal): Promise<void> {
    const { sessionId, command, args, env, cwd } = request;
    const words = [command, ...args];
    const environment = Object.keys(env).length > 0 ? { environment: env } : {};
    const toolRequest: ToolRequest = {
      tool: '',
      kind: 'execute',
      title: words.join(' '),
      command: { type: 'arguments', words, ...environment },
      ...(cwd !== undefined && { cwd }),
    };
    return this.#check(sessionId, toolRequest, signal);
  }

  async #check(sessionId: string, request: ToolRequest, signal: AbortSignal): Promise<void> {
    const { verdict, reason, because } = await this.#judge.judge(sessionId, request);
    if (reason === 'no-session') throw errorOfKind('session_not_found', { data: { sessionId } });
    if (verdict === 'deny') throw errorOfKind('permission_denied', { message: because });
    if (verdict !== 'ask' || !ASKED_HERE.has(reason)) return;
    if (this.#approvals.take(sessionId, request)) return;
    // An ask rule asks every time; a protected file that was allowed stays so.
    const isKept = reason === 'protected';
    const key = JSON.stringify([sessionId, request]);
    if (isKept && this.#approved.has(key)) return;
    const { title = '', kind = 'other', paths = [] } = request;
    const toolCall = {
      toolCallId: `parley-${crypto.randomUUID()}`,
      title,
      kind,
      locations: paths.map((path) => ({ path })),
      ...(request.command?.type === 'arguments' && { rawInput: { command: request.command.words } }),
    };
    const question = {
      type: 'permission',
      questionId: crypto.randomUUID(),
      sessionId,
      toolCall,
      options: OPTIONS,
      because,
    } as const;
    const outcome = await this.#permissions.ask(question, signal);
    if (meaningOf(OPTIONS, outcome) !== 'allowed') throw errorOfKind('permission_denied', { message: because });
    if (isKept && this.#approved.size < MAX_APPROVED) this.#approved.add(key);
  }
}
