import type { RequestPermissionOutcome, ToolCallUpdate } from '@parley/protocol';
import { errorOfKind } from '@parley/protocol';
import type { PermissionRequest } from '../peer/agent-peer.ts';
import type { PermissionQuestion } from '../question.ts';
import type { QuestionDesk } from '../question-desk.ts';
import { getToolCall, type Transcript } from '../transcript/index.ts';
import { CANCELLED, chooseOption, meaningOf } from './choose-option.ts';
import type { Decision, PermissionAnswer, PermissionDecision, PermissionOptions } from './permission-options.ts';
import { createDecider } from './policy-decider.ts';

export interface PermissionContext {
  readonly desk: QuestionDesk;
  readonly transcriptOf: (sessionId: string) => Transcript | undefined;
  readonly cwdOf: (sessionId: string) => string | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Answers `session/request_permission`: policy first, then the person, then no. Unclear means no. */
export class Permissions {
  readonly #options: PermissionOptions;
  readonly #context: PermissionContext;
  readonly #decide: (question: PermissionQuestion) => Decision | Promise<Decision>;

  constructor(options: PermissionOptions, context: PermissionContext) {
    this.#options = options;
    this.#context = context;
    this.#decide = options.decide ?? createDecider(options, context.cwdOf);
  }

  async answer(request: PermissionRequest, signal: AbortSignal): Promise<RequestPermissionOutcome> {
    const { sessionId, options } = request;
    const transcript = this.#context.transcriptOf(sessionId);
    if (!transcript) throw errorOfKind('session_not_found', { data: { sessionId } });
    if (transcript.state === 'cancelling') return CANCELLED;
    const question: PermissionQuestion = {
      type: 'permission',
      questionId: crypto.randomUUID(),
      sessionId,
      toolCall: withKnown(request.toolCall, transcript),
      options,
    };
    const decision = await this.#decideSafely(question);
    if (this.#context.transcriptOf(sessionId)?.state === 'cancelling') return CANCELLED;
    if (decision.verdict !== 'ask') {
      const outcome = chooseOption(options, decision.verdict === 'allow' ? 'allow' : 'reject');
      return this.#report(question, outcome, 'rule', decision.because);
    }
    return this.#ask({ ...question, because: decision.because }, signal);
  }

  async #ask(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionOutcome> {
    const { desk, onFailure } = this.#context;
    const { ask, timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    if (!ask || desk.isFull) {
      return this.#report(question, chooseOption(question.options, 'reject'), 'nobody', question.because);
    }
    const answer = await desk.ask<PermissionAnswer>(question, {
      handler: (handlerSignal) => ask(question, { signal: handlerSignal }),
      cancelled: 'cancel',
      fallback: 'reject',
      timeoutMs,
      signal,
      describe: (given) => meaningOf(question.options, chooseOption(question.options, given)),
      onFailure,
    });
    return this.#report(
      question,
      chooseOption(question.options, answer),
      answer === 'cancel' ? 'cancelled' : 'person',
      question.because,
    );
  }

  /** A policy that fails has not allowed anything; the person decides. */
  async #decideSafely(question: PermissionQuestion): Promise<Decision> {
    try {
      return await this.#decide(question);
    } catch (error) {
      this.#context.onFailure(error);
      return { verdict: 'ask', because: 'The rules could not be applied.' };
    }
  }

  #report(
    question: PermissionQuestion,
    outcome: RequestPermissionOutcome,
    by: PermissionDecision['by'],
    because: string | undefined,
  ): RequestPermissionOutcome {
    this.#options.onDecision?.({
      question,
      by,
      outcome: meaningOf(question.options, outcome),
      ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
      ...(because !== undefined && { because }),
    });
    return outcome;
  }
}

/** The request often names only what changed; the person should see everything that is known of the call. */
function withKnown(toolCall: ToolCallUpdate, transcript: Transcript): ToolCallUpdate {
  const known = getToolCall(transcript, toolCall.toolCallId);
  if (!known) return toolCall;
  const { title, name, kind, content, locations, rawInput, status } = known;
  const base: ToolCallUpdate = {
    toolCallId: toolCall.toolCallId,
    title,
    kind,
    content: [...content],
    locations: [...locations],
    ...(name !== undefined && { name }),
    ...(rawInput !== undefined && { rawInput }),
    ...(status !== 'cancelled' && { status }),
  };
  const given = Object.fromEntries(
    Object.entries(toolCall).filter(([, value]) => value !== undefined && value !== null),
  );
  return { ...base, ...given };
}
