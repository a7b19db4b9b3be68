import type { FolderEntry, Policy, Rule, Shell, ToolRequest } from '@parley/policy';
import { isLasting } from '@parley/policy/options';
import type { RequestPermissionOutcome } from '@parley/protocol';
import { type PermissionQuestion, type QuestionedToolCall, toolCallToV1 } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { Decision, PermissionOptions } from './permission-options.ts';

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

  async decide({ sessionId = '', toolCall }: PermissionQuestion): Promise<Judgement> {
    return this.judge(sessionId, await this.readToolCall(toolCall));
  }

  async readToolCall(toolCall: QuestionedToolCall): Promise<ToolRequest> {
    const policy = await loadPolicy();
    return policy.requestFromToolCall(toolCallToV1(toolCall));
  }

  async judge(sessionId: string, request: ToolRequest): Promise<Judgement> {
    const prepared = await this.#prepare(sessionId);
    if (!prepared) return { verdict: 'deny', reason: 'no-session', because: 'There is no such session.' };
    const { decideForPerson, PERMISSION_MODES } = await loadPolicy();
    const { verdict, because, reason } = decideForPerson(prepared, request);
    const { approvesLasting = false } = PERMISSION_MODES[prepared.mode];
    return { verdict, because, reason, ...(approvesLasting && { isLasting: true }) };
  }

  /** Keeps a lasting answer, never wider than what the person was shown: exactly this request, in this scope. */
  async remember(
    { sessionId = '', toolCall, options }: PermissionQuestion,
    outcome: RequestPermissionOutcome,
  ): Promise<void> {
    const { remembered, rememberScope: scope = 'session' } = this.#options;
    const chosenId = outcome.outcome === 'selected' ? outcome.optionId : undefined;
    if (!remembered || !options.some((option) => option.optionId === chosenId && isLasting(option))) return;
    const place = this.#context.placeOf(sessionId);
    const prepared = await this.#prepare(sessionId);
    if (!place || !prepared) return;
    const policy = await loadPolicy();
    const request = policy.requestFromToolCall(toolCallToV1(toolCall));
    const decision = policy.decideForPerson(prepared, request);
    const { cwd } = place;
    const { chosen } = policy.readAnswer(policy.readOptions(options, { request, decision, scope, cwd }), outcome);
    const entry =
      chosen &&
      policy.rememberedFrom(chosen, {
        id: crypto.randomUUID(),
        createdAt: new Date(this.#context.clock.now()).toISOString(),
        place: { sessionId, project: cwd },
      });
    if (entry) await remembered.save(entry);
  }

  /** Mode, rules and remembered answers for the folders of a session; undefined when there is no such session. */
  async #prepare(sessionId: string): Promise<Policy | undefined> {
    const policy = await loadPolicy();
    const { rules = [] } = this.#options;
    const mode = typeof this.#options.mode === 'function' ? this.#options.mode() : this.#options.mode;
    const { home, realPath, listFolder, shell, placeOf } = this.#context;
    const place = placeOf(sessionId);
    if (!place) return undefined;
    const { cwd, additionalDirectories } = place;
    const key = JSON.stringify([mode ?? '', cwd, additionalDirectories]);
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
    // Remembered answers change from one question to the next.
    if (!this.#options.remembered && this.#prepared.size < MAX_PREPARED) this.#prepared.set(key, prepared);
    return prepared;
  }
}

const MAX_PREPARED = 256;

let policyModule: Promise<PolicyModule> | undefined;

function loadPolicy(): Promise<PolicyModule> {
  policyModule ??= import('@parley/policy');
  return policyModule;
}

function isList(rules: NonNullable<PermissionOptions['rules']>): rules is readonly (Rule | string)[] {
  return Array.isArray(rules);
}
