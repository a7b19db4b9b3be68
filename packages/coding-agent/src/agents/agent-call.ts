import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn } from '@parley/agent';
import type { ClientSession, FormQuestion, FormReply, PageQuestion, PermissionQuestion } from '@parley/client';
import { getToolCall, type TranscriptEvent, type TurnResult } from '@parley/session';
import type { AgentCallRequest } from '../operations/operations.ts';
import { CallLimits } from './call-limits.ts';
import { UpdateCounts } from './call-summary.ts';
import { NestedCalls } from './nested-calls.ts';

/** How long a cancelled agent may take to say so; our own turn is not held up by it for longer. */
const CANCEL_WAIT_MS = 150;

export interface AgentCallOptions {
  /** The turn of ours that makes the call. */
  readonly turn: Turn;
  readonly request: AgentCallRequest;
  /** The session of the other agent. */
  readonly session: ClientSession;
  readonly maxToolCalls: number;
  readonly maxDurationMs: number;
  /** The agent was asked to stop, and went on: nobody watches it any more. */
  readonly onStuck: () => void;
}

export interface AgentCallEnd {
  readonly result: TurnResult;
  readonly durationMs: number;
  readonly updates: UpdateCounts;
  readonly stopped: string | undefined;
}

/** One prompt to another agent: shown as it works, stopped at its limits, its questions put to our person under its name. */
export class AgentCall {
  readonly #options: AgentCallOptions;
  readonly #nested: NestedCalls;
  readonly #limits: CallLimits;
  readonly #updates = new UpdateCounts();
  readonly #stop = new AbortController();

  constructor(options: AgentCallOptions) {
    const { turn, request, session, maxToolCalls, maxDurationMs } = options;
    this.#options = options;
    this.#nested = new NestedCalls({
      turn,
      parentId: request.callId,
      agent: request.name,
      transcript: () => session.transcript,
    });
    this.#limits = new CallLimits({ maxToolCalls, maxDurationMs, onReached: (because) => this.#stop.abort(because) });
  }

  /** Rejects with the signal's reason soon after it has aborted, whatever the agent does then. */
  async run(): Promise<AgentCallEnd> {
    const { request, session, onStuck } = this.#options;
    const { signal } = request;
    const startedAt = Date.now();
    using _limits = this.#limits;
    const stopFollowing = session.on('event', (event) => this.#follow(event));
    try {
      signal.throwIfAborted();
      const turn = session.prompt(request.prompt, { signal: AbortSignal.any([signal, this.#stop.signal]) });
      turn.result.then(
        ({ isForced }) => isForced && onStuck(),
        () => {},
      );
      const result = await untilCancelled(turn.result, signal);
      signal.throwIfAborted();
      const stopped = this.#stop.signal.aborted ? String(this.#stop.signal.reason) : undefined;
      return { result, durationMs: Date.now() - startedAt, updates: this.#updates, stopped };
    } finally {
      stopFollowing();
      this.#nested.close();
    }
  }

  /** Puts a permission to our person: as a question about a call that bears the name of who asks. */
  async askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<'cancel' | { optionId: string }> {
    const { turn, request, session } = this.#options;
    const { options, description, because } = question;
    const { shown, toolCall } = this.#nested.questioned(question.toolCall);
    const why = description ?? because;
    const asked = turn.session.ask(
      {
        type: 'permission',
        toolCall,
        options,
        title: `${request.name} asks: ${question.title ?? question.toolCall.title ?? 'a tool call'}`,
        ...(why !== undefined && { description: why }),
      },
      { signal: AbortSignal.any([signal, request.signal]) },
    );
    const answer = await this.#limits.whileAsked(asked);
    const optionId = answer.type === 'permission' ? answer.optionId : undefined;
    // What our own rules ask about is no call of the agent, so that nobody else says how it ended.
    if (!getToolCall(session.transcript, question.toolCall.toolCallId)) {
      const isAllowed = options.some((option) => option.optionId === optionId && option.kind.startsWith('allow'));
      if (isAllowed) shown.complete();
      else shown.fail('It was not allowed.');
    }
    return optionId === undefined ? 'cancel' : { optionId };
  }

  /** Puts a form or a page to our person, where our client has a place for it. */
  async elicit(question: FormQuestion | PageQuestion, signal: AbortSignal): Promise<FormReply> {
    const { turn, request } = this.#options;
    const { client } = turn;
    if (!(question.type === 'form' ? client.offers.elicitForm : client.offers.elicitUrl)) return { action: 'cancel' };
    const facts = {
      message: `${request.name} asks: ${question.message}`,
      signal: AbortSignal.any([signal, request.signal]),
      ...(request.callId !== undefined && { toolCallId: request.callId }),
    };
    return this.#limits.whileAsked(
      question.type === 'form'
        ? client.elicit({ ...facts, form: question.form })
        : client.elicit({ ...facts, url: question.url, elicitationId: question.elicitationId }),
    );
  }

  #follow(event: TranscriptEvent): void {
    const { request, session } = this.#options;
    this.#updates.add(event);
    if (event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text') {
      request.onText(event.content.text);
    }
    if (event.type !== 'tool_call' && event.type !== 'tool_call_chunk') return;
    const call = getToolCall(session.transcript, event.toolCallId);
    if (!call) return;
    this.#nested.show(call);
    this.#limits.countToolCall(call.toolCallId);
  }
}

async function untilCancelled<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
  });
  const givenUp = aborted.then(async () => {
    await sleep(CANCEL_WAIT_MS);
    throw signal.reason;
  });
  try {
    return await Promise.race([result, givenUp]);
  } finally {
    over.abort();
    givenUp.catch(() => {});
  }
}
