import {
  CANCELLED,
  chooseByVerdict,
  chooseOption,
  findPermissionOption,
  meaningOf,
  whyPersonChooses,
} from '@parley/policy/options';
import { errorOfKind, type RequestPermissionOutcome } from '@parley/protocol';
import type { PermissionQuestion, QuestionedToolCall, PermissionAnswer as Reply } from '@parley/session';
import { getToolCall, type Transcript } from '@parley/session';
import type { PermissionRequest } from '../peer/client-duties.ts';
import type { OpenQuestions } from '../questions/open-questions.ts';
import type { Approvals } from './approvals.ts';
import type { Decision, PermissionAnswer, PermissionDecision, PermissionOptions } from './permission-options.ts';
import type { PolicyJudge } from './policy-judge.ts';
import { relabelled } from './relabelled.ts';

export interface PermissionContext {
  readonly questions: OpenQuestions;
  /** What applies mode and rules; loaded when it is first needed. */
  readonly judge: () => Promise<PolicyJudge>;
  /** Is told what a person has allowed; absent where the agent does nothing through us. */
  readonly approvals: Approvals | undefined;
  readonly transcriptOf: (sessionId: string) => Transcript | undefined;
  readonly onFailure: (error: unknown) => void;
}

const NOBODY = 'There was nobody to ask.';

/** Answers `session/request_permission`: policy first, then the person, then no. Unclear means no. */
export class Permissions {
  readonly #options: PermissionOptions;
  readonly #context: PermissionContext;
  /** By session, the decisions of the policy that are still to come. */
  readonly #deciding = new Map<string, Promise<unknown>>();

  constructor(options: PermissionOptions, context: PermissionContext) {
    this.#options = options;
    this.#context = context;
  }

  async answer(request: PermissionRequest, signal: AbortSignal): Promise<Reply> {
    const { sessionId, options } = request;
    if (this.#options.relay) return this.#options.relay(request, { signal });
    const { judge, approvals } = this.#context;
    const transcript = this.#context.transcriptOf(sessionId);
    if (!transcript) throw errorOfKind('session_not_found', { data: { sessionId } });
    if (transcript.state === 'cancelling') return toAnswer(CANCELLED);
    const toolCall = withKnown(request.toolCall, transcript);
    const { title, ...others } = request;
    const question: PermissionQuestion = {
      ...others,
      questionId: crypto.randomUUID(),
      toolCall,
      // The title of the question that is the one of the call says nothing more.
      ...(title !== undefined && title !== toolCall.title && { title }),
    };
    const earlier = this.whenDecided(sessionId);
    const known = getToolCall(transcript, request.toolCall.toolCallId);
    const decision = await this.#note(sessionId, this.#decide(question, relabelled(request.toolCall, known)));
    const outcome = chooseByVerdict(options, decision.verdict, decision.isLasting);
    // Rules take some longer than others; the person is asked in the order in which the agent asked.
    if (!outcome) await earlier;
    if (this.#context.transcriptOf(sessionId)?.state === 'cancelling') return toAnswer(CANCELLED);
    if (outcome) {
      this.#report(question, outcome, 'rule', decision.because);
      return toAnswer(outcome, decision.verdict === 'deny' ? decision.because : undefined);
    }
    const isSomebodyThere = this.#hasSomebody;
    // Where several answers are offered, no rule could have given one: a missing rule is not the reason.
    const isChoice = findPermissionOption(options, 'allow_any') === undefined;
    const because = decision.verdict === 'allow' || isChoice ? whyPersonChooses(options) : decision.because;
    const asked = await this.ask({ ...question, because }, signal);
    if (approvals && meaningOf(options, asked) === 'allowed')
      approvals.add(sessionId, await (await judge()).readToolCall(toolCall));
    return toAnswer(asked, isSomebodyThere ? undefined : `${because} ${NOBODY}`);
  }

  /** Resolves when the policy has decided every permission request so far, or has left it to the person. */
  whenDecided(sessionId: string): Promise<unknown> | undefined {
    return this.#deciding.get(sessionId);
  }

  #note(sessionId: string, decision: Promise<Decision>): Promise<Decision> {
    const all = Promise.all([this.#deciding.get(sessionId), decision]).finally(() => {
      if (this.#deciding.get(sessionId) === all) this.#deciding.delete(sessionId);
    });
    this.#deciding.set(sessionId, all);
    return decision;
  }

  get #hasSomebody(): boolean {
    return this.#options.ask !== undefined && !this.#context.questions.isFull;
  }

  /** Puts a question to the person, whoever raised it. */
  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionOutcome> {
    const { questions, judge, onFailure } = this.#context;
    const { ask, timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    const { options, because } = question;
    if (!ask || !this.#hasSomebody) return this.#report(question, chooseOption(options, 'reject'), 'nobody', because);
    const answer = await questions.ask<PermissionAnswer>(question, {
      handler: (handlerSignal) => ask(question, { signal: handlerSignal }),
      cancelled: 'cancel',
      fallback: 'reject',
      timeoutMs,
      signal,
      describe: (given) => meaningOf(options, chooseOption(options, given)),
      onFailure,
    });
    const outcome = chooseOption(options, answer);
    if (this.#options.remembered)
      await judge()
        .then((each) => each.remember(question, outcome))
        .catch(onFailure);
    return this.#report(question, outcome, answer === 'cancel' ? 'cancelled' : 'person', because);
  }

  /** A policy that fails has not allowed anything; the person decides. */
  async #decide(question: PermissionQuestion, contradiction: string | undefined): Promise<Decision> {
    try {
      const decision = await (this.#options.decide?.(question) ??
        this.#context.judge().then((judge) => judge.decide(question)));
      const isDoubtful = contradiction !== undefined && decision.verdict === 'allow' && !decision.isLasting;
      return isDoubtful ? { verdict: 'ask', because: contradiction } : decision;
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

function toAnswer(outcome: RequestPermissionOutcome, because?: string): Reply {
  return {
    type: 'permission',
    ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
    ...(because !== undefined && { because }),
  };
}

/**
 * The request often names only what changed; the person should see everything that is known of the call. An empty list, input or
 * title in a question takes nothing away that was told before.
 */
function withKnown(toolCall: QuestionedToolCall, transcript: Transcript): QuestionedToolCall {
  const known = getToolCall(transcript, toolCall.toolCallId);
  if (!known) return toolCall;
  const { title, name, kind, content, locations, rawInput, status } = known;
  const base: QuestionedToolCall = {
    toolCallId: toolCall.toolCallId,
    title,
    kind,
    content,
    locations,
    ...(name !== undefined && { name }),
    ...(rawInput !== undefined && { rawInput }),
    ...(status !== 'cancelled' && { status }),
  };
  const given = Object.fromEntries(Object.entries(toolCall).filter(([, value]) => !isEmpty(value)));
  return { ...base, ...given };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
