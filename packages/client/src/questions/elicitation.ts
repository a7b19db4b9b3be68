import { RpcError } from '@parley/jsonrpc';
import type { FormQuestion, FormReply, NewFormQuestion, PageQuestion } from '@parley/session';
import type { OpenQuestions } from './open-questions.ts';

/** Puts the agent's questions with fields or links to the person. A mode without a handler is not advertised. */
export interface ElicitationOptions {
  readonly form?: ElicitationHandler<FormQuestion>;
  /** Must show the whole URL and ask for consent before anything opens it. */
  readonly url?: ElicitationHandler<PageQuestion>;
  /** Told when the agent says that what happened behind a URL is finished. */
  readonly onComplete?: (elicitationId: string) => void;
  /** How long a question may stay open before it is cancelled. Default: for ever. */
  readonly timeoutMs?: number;
}

/** Answers a question; undefined leaves it to `connection.answer`. */
export type ElicitationHandler<Asked extends FormQuestion | PageQuestion> = (
  question: Asked,
  context: { readonly signal: AbortSignal },
) => FormReply | undefined | Promise<FormReply | undefined>;

export interface ElicitationContext {
  readonly questions: OpenQuestions;
  readonly hasSession: (sessionId: string) => boolean;
  /** Resolves when the policy has decided every earlier permission request of the session, or has left it to the person. */
  readonly whenDecided: (sessionId: string) => Promise<unknown> | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Answers `elicitation/create`; a mode that was not advertised gets -32602 (rule 138). */
export class Elicitations {
  readonly #options: ElicitationOptions;
  readonly #context: ElicitationContext;
  /** URL questions that were accepted and may be reported complete. Unknown ids are ignored (rule 141). */
  readonly #awaited = new Set<string>();

  constructor(options: ElicitationOptions, context: ElicitationContext) {
    this.#options = options;
    this.#context = context;
  }

  async elicit(request: NewFormQuestion, signal: AbortSignal): Promise<FormReply> {
    const { questions, hasSession, whenDecided, onFailure } = this.#context;
    const { sessionId } = request;
    const question = { ...request, questionId: crypto.randomUUID() };
    const put = this.#handlerOf(question);
    if (sessionId !== undefined && !hasSession(sessionId))
      throw RpcError.invalidParams(`sessionId: no session "${sessionId}"`);
    const earlier = sessionId === undefined ? undefined : whenDecided(sessionId);
    if (earlier) await earlier;
    if (questions.isFull) return CANCELLED;
    const answer = await questions.ask<FormReply>(question, {
      handler: put,
      cancelled: CANCELLED,
      fallback: CANCELLED,
      timeoutMs: this.#options.timeoutMs ?? Number.POSITIVE_INFINITY,
      signal,
      describe: ({ action }) => action,
      onFailure,
    });
    if (question.type === 'page' && answer.action === 'accept') this.#remember(question.elicitationId);
    return answer;
  }

  #handlerOf(question: FormQuestion | PageQuestion): (signal: AbortSignal) => ReturnType<ElicitationHandler<never>> {
    const { form, url } = this.#options;
    if (question.type === 'form' && form) return (signal) => form(question, { signal });
    if (question.type === 'page' && url) return (signal) => url(question, { signal });
    const mode = question.type === 'form' ? 'form' : 'url';
    throw RpcError.invalidParams(`mode: expected one that the client advertised, got "${mode}"`);
  }

  complete(elicitationId: string): void {
    if (this.#awaited.delete(elicitationId)) this.#options.onComplete?.(elicitationId);
  }

  #remember(elicitationId: string): void {
    if (this.#awaited.size < MAX_AWAITED) this.#awaited.add(elicitationId);
  }
}

const CANCELLED: FormReply = { action: 'cancel' };
const MAX_AWAITED = 256;
