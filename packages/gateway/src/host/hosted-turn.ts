import { LogFailedError, type Turn, type TurnResult } from '@parley/agent';
import { AgentError, type ClientSession } from '@parley/client';
import { foreignMeta } from './foreign/foreign-meta.ts';
import type { LateReplay } from './late-replay.ts';
import { OwnPrompt } from './own-prompt.ts';
import { isSetup, type PassedEvent } from './passed-events.ts';
import { PassedMessages } from './passed-messages.ts';

/** How long an agent may take to stop when the session is lost; a lease still runs for longer than that. */
const LOST_GRACE_MS = 2000;

const SPOKEN: ReadonlySet<string> = new Set(['message_chunk', 'whole_message', 'thought_chunk', 'whole_thought']);

export interface HostedTurnOptions {
  readonly turn: Turn;
  /** Sent to the agent: the prompt, and before it what the agent has forgotten. */
  readonly content: Turn['content'];
  /** What the agent may tell again during the first turn after it has loaded the session. */
  readonly lateReplay: LateReplay | undefined;
  /** The process serves this session alone. */
  readonly isProcessOwn: boolean;
}

/** Where a turn runs. */
export interface TurnAtAgent {
  readonly process: { close(): Promise<void> };
  readonly foreign: { readonly session: ClientSession };
}

/** One turn at the agent, and which of its events are new to our log. */
export class HostedTurn {
  readonly #options: HostedTurnOptions;
  readonly #ownPrompt: OwnPrompt;
  /** What the person has said while the turn runs. */
  #messages: PassedMessages | undefined;
  /** Tool calls that have begun and not ended. */
  readonly #openCalls = new Set<string>();
  #hasProgress = false;
  /** The message or thought that the agent adds to. */
  #messageId: string | undefined;

  constructor(options: HostedTurnOptions) {
    this.#options = options;
    this.#ownPrompt = new OwnPrompt(options.turn.id, options.content);
  }

  /** Whether the agent has said or done something. */
  get hasProgress(): boolean {
    return this.#hasProgress;
  }

  /** An event of the agent as our log takes it; undefined for what the log has already. */
  read(told: PassedEvent): PassedEvent | undefined {
    const event = this.#ownPrompt.read(told);
    if (!event || this.#messages?.hasTold(event)) return undefined;
    if (isSetup(event)) return event;
    if (this.#options.lateReplay?.takes(event)) return undefined;
    // An agent that does not repeat what it was sent has taken it when it begins something new.
    if (this.#isBeginning(event)) this.#messages?.take();
    if (event.type === 'tool_call') this.#track(event.toolCallId, event.status);
    this.#hasProgress = true;
    return event;
  }

  /** Whether an event begins a message, a thought or a tool call. */
  #isBeginning(event: PassedEvent): boolean {
    if (event.type === 'tool_call') return !this.#openCalls.has(event.toolCallId);
    if (!SPOKEN.has(event.type)) return false;
    const { messageId } = event as { readonly messageId?: string };
    const isNew = messageId === undefined || messageId !== this.#messageId;
    this.#messageId = messageId;
    return isNew;
  }

  /** The agent begins a turn of its own for something that was said into this one. */
  onForeignTurn(): void {
    this.#messages?.take();
  }

  async run({ process, foreign: { session } }: TurnAtAgent): Promise<TurnResult> {
    const { turn, content, isProcessOwn } = this.#options;
    const meta = foreignMeta(turn.meta);
    const running = session.prompt([...content], meta ? { meta } : {});
    const messages = new PassedMessages(turn, session);
    this.#messages = messages;
    let killing: ReturnType<typeof setTimeout> | undefined;
    const cancel = (): void => {
      void running.cancel();
      // What cannot be written must not happen: soon the session may be somebody else's, with an agent of its own.
      if (turn.signal.reason instanceof LogFailedError)
        killing ??= setTimeout(() => void process.close(), LOST_GRACE_MS);
    };
    turn.signal.addEventListener('abort', cancel, { once: true });
    if (turn.signal.aborted) cancel();
    try {
      const { stopReason, usage, meta: told, extra, isForced } = await running.result;
      await messages.whenAnswered();
      if (isForced && isProcessOwn) void process.close();
      return {
        stopReason,
        ...(told && { meta: told }),
        ...(usage && { tokens: usage }),
        ...(extra && { extra }),
      };
    } catch (error) {
      if (error instanceof AgentError) this.#failOpenCalls();
      throw error;
    } finally {
      clearTimeout(killing);
      turn.signal.removeEventListener('abort', cancel);
      messages.close();
      // The log has it; here it would only grow.
      if (!session.turn && !session.isReplaying) session.clearTranscript();
    }
  }

  #track(toolCallId: string, status: string | undefined): void {
    if (status === 'completed' || status === 'failed' || status === 'cancelled') this.#openCalls.delete(toolCallId);
    else this.#openCalls.add(toolCallId);
  }

  /** The agent is gone, and cannot report how they ended. */
  #failOpenCalls(): void {
    for (const toolCallId of this.#openCalls)
      void this.#options.turn.session.update({ type: 'tool_call', toolCallId, status: 'failed' });
  }
}
