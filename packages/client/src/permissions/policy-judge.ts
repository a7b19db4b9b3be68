import type { FolderEntry, Policy, Remembered, Shell, ToolRequest } from '@parley/policy';
import type { RequestPermissionOutcome, ToolCallUpdate } from '@parley/protocol';
import type { PermissionQuestion } from '@parley/session';
import type { Clock } from '../clock.ts';
import { meaningOf } from './choose-option.ts';
import type { Decision, PermissionOptions, RuleLists } from './permission-options.ts';

/** What the judge must know of the session and the machine. */
export interface JudgeContext {
  readonly clock: Clock;
  readonly placeOf: (
    sessionId: string,
  ) => { readonly cwd: string; readonly additionalDirectories: readonly string[] } | undefined;
  /** What `~` stands for. */
  readonly home?: string | undefined;
  /** Follows symlinks, so that a rule about a path holds for where it really leads. */
  readonly realPath?: ((path: string) => string) | undefined;
  /** What is in a folder, so that a rule holds for everything a pattern meets. */
  readonly listFolder?: ((path: string, limit: number) => readonly FolderEntry[] | undefined) | undefined;
  readonly shell?: Shell | undefined;
}

type PolicyModule = typeof import('@parley/policy');

/** A verdict, and what it rests on. */
export interface Judgement extends Decision {
  readonly reason: string;
}

/** Applies mode, rules and remembered answers. The policy package is loaded when the first decision is due. */
export class PolicyJudge {
  readonly #options: PermissionOptions;
  readonly #context: JudgeContext;
  /** Rules that were read already, by the directories they are for. */
  readonly #prepared = new Map<string, Policy>();

  constructor(options: PermissionOptions, context: JudgeContext) {
    this.#options = options;
    this.#context = context;
  }

  async decide({ sessionId, toolCall }: PermissionQuestion): Promise<Judgement> {
    return this.judge(sessionId, await this.readToolCall(toolCall));
  }

  async readToolCall(toolCall: ToolCallUpdate): Promise<ToolRequest> {
    const policy = await loadPolicy();
    return policy.requestFromToolCall(toolCall);
  }

  async judge(sessionId: string, request: ToolRequest): Promise<Judgement> {
    const policy = await loadPolicy();
    const { mode, rules = [] } = this.#options;
    const { home, realPath, listFolder, shell, placeOf } = this.#context;
    const place = placeOf(sessionId);
    if (!place) return { verdict: 'deny', reason: 'no-session', because: 'There is no such session.' };
    const { cwd, additionalDirectories } = place;
    const key = JSON.stringify([cwd, additionalDirectories]);
    const prepared =
      this.#prepared.get(key) ??
      policy.createPolicy({
        workspace: {
          cwd,
          additionalDirectories,
          ...(home !== undefined && { home }),
          ...(realPath && { realPath }),
          ...(listFolder && { listFolder }),
        },
        ...(shell && { shell }),
        ...(mode !== undefined && { mode }),
        rules: isList(rules) ? rules : policy.parseRules(rules, { scope: 'session' }),
        remembered: (await this.#options.remembered?.list({ sessionId, project: cwd })) ?? [],
        // A question that nobody can answer is turned into a denial by our caller, who says so.
        canAsk: true,
      });
    // What was answered with "always" changes from one question to the next.
    if (!this.#options.remembered && this.#prepared.size < MAX_PREPARED) this.#prepared.set(key, prepared);
    const { verdict, because, reason } = policy.decideForPerson(prepared, request);
    return { verdict, because, reason, ...(mode === 'bypassPermissions' && { isLasting: true }) };
  }

  /** Keeps an answer "always", never wider than what the person was shown: exactly this request, in this scope. */
  async remember(
    { sessionId, toolCall, options }: PermissionQuestion,
    outcome: RequestPermissionOutcome,
  ): Promise<void> {
    const { remembered, rememberScope: scope = 'session' } = this.#options;
    const place = this.#context.placeOf(sessionId);
    const chosen =
      outcome.outcome === 'selected' ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
    if (!remembered || !place || !chosen?.kind.endsWith('_always')) return;
    const policy = await loadPolicy();
    const request = policy.requestFromToolCall(toolCall);
    const belongsTo = scope === 'session' ? sessionId : scope === 'project' ? place.cwd : undefined;
    const entry: Remembered = {
      id: crypto.randomUUID(),
      effect: meaningOf(options, outcome) === 'allowed' ? 'allow' : 'deny',
      scope,
      what: { type: 'exact', key: policy.requestKey(request, scope === 'user' ? undefined : place.cwd) },
      shown: policy.describeRequest(request),
      createdAt: new Date(this.#context.clock.now()).toISOString(),
      ...(belongsTo !== undefined && { belongsTo }),
    };
    await remembered.save(entry);
  }
}

const MAX_PREPARED = 256;

let policyModule: Promise<PolicyModule> | undefined;

function loadPolicy(): Promise<PolicyModule> {
  policyModule ??= import('@parley/policy');
  return policyModule;
}

function isList(rules: readonly string[] | RuleLists): rules is readonly string[] {
  return Array.isArray(rules);
}
