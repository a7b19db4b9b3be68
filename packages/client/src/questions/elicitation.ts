import { RpcError } from '@parley/jsonrpc';
import type { CreateElicitationRequest, CreateElicitationResponse } from '@parley/protocol';
import type { ElicitationQuestion } from '@parley/session';
import type { OpenQuestions } from './open-questions.ts';

/** Puts the agent's questions with fields or links to the person. A mode without a handler is not advertised. */
export interface ElicitationOptions {
  readonly form?: ElicitationHandler;
  /** Must show the whole URL and ask for consent before anything opens it. */
  readonly url?: ElicitationHandler;
  /** Told when the agent says that what happened behind a URL is finished. */
  readonly onComplete?: (elicitationId: string) => void;
  /** How long a question may stay open before it is cancelled. Default: for ever. */
  readonly timeoutMs?: number;
}

/** Answers a question; undefined leaves it to `connection.answer`. */
export type ElicitationHandler = (
  question: ElicitationQuestion,
  context: { readonly signal: AbortSignal },
) => CreateElicitationResponse | undefined | Promise<CreateElicitationResponse | undefined>;

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

  async elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    const { questions, hasSession, whenDecided, onFailure } = this.#context;
    const { mode } = request;
    const handler = mode === 'form' || mode === 'url' ? this.#options[mode] : undefined;
    if (!handler) throw RpcError.invalidParams(`mode: expected one that the client advertised, got "${mode}"`);
    const sessionId = 'sessionId' in request && typeof request.sessionId === 'string' ? request.sessionId : undefined;
    if (sessionId !== undefined && !hasSession(sessionId))
      throw RpcError.invalidParams(`sessionId: no session "${sessionId}"`);
    const earlier = sessionId === undefined ? undefined : whenDecided(sessionId);
    if (earlier) await earlier;
    if (questions.isFull) return CANCELLED;
    const question: ElicitationQuestion = {
      type: 'elicitation',
      questionId: crypto.randomUUID(),
      mode: mode as 'form' | 'url',
      request,
      ...(sessionId !== undefined && { sessionId }),
    };
    const answer = await questions.ask<CreateElicitationResponse>(question, {
      handler: (handlerSignal) => handler(question, { signal: handlerSignal }),
      cancelled: CANCELLED,
      fallback: CANCELLED,
      timeoutMs: this.#options.timeoutMs ?? Number.POSITIVE_INFINITY,
      signal,
      describe: ({ action }) => action,
      onFailure,
    });
    if (mode === 'url' && answer.action === 'accept')
      this.#remember(String((request as { elicitationId?: unknown }).elicitationId));
    return answer;
  }

  complete(elicitationId: string): void {
    if (this.#awaited.delete(elicitationId)) this.#options.onComplete?.(elicitationId);
  }

  #remember(elicitationId: string): void {
    if (this.#awaited.size < MAX_AWAITED) this.#awaited.add(elicitationId);
  }
}

const CANCELLED: CreateElicitationResponse = { action: 'cancel' };
const MAX_AWAITED = 256;
