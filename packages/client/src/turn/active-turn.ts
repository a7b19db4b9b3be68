import { META, type TranscriptEvent } from '@parley/session';
import { UpdateError } from '../errors.ts';
import type { Meta } from '../peer/agent-peer.ts';
import { AgentTurn } from './agent-turn.ts';
import type { PromptTurn } from './prompt-turn.ts';
import type { PromptingSession } from './prompting-session.ts';

/**
 * The progress of a turn: `preparing` -> `sent` -> `lost` (with the connection) -> `sent` again, or `told` when the agent reported its
 * end meanwhile. A turn can end or be cancelled in every state.
 */
export type TurnProgress =
  | { readonly name: 'preparing' }
  | { readonly name: 'sent' }
  /** The connection that its prompt was sent on is gone. */
  | { readonly name: 'lost'; readonly error: unknown }
  /** Its end is known; the caller is told when the session is open again. */
  | { readonly name: 'told'; readonly error: unknown; readonly tellEnd: () => void };

const PREPARING: TurnProgress = { name: 'preparing' };
export const SENT: TurnProgress = { name: 'sent' };

/** The turn that runs, as its runner keeps it. */
export interface ActiveTurn {
  readonly turn: PromptTurn;
  readonly agentTurn: AgentTurn;
  /** `_meta` of the request, with the id of the prompt where the agent gets it. */
  readonly meta: Meta | undefined;
  /** The agent gets the id of the prompt, so that it can be sent again, and runs once. */
  readonly sendsId: boolean;
  /** Which of the transcript's turns it is. */
  index: number;
  /** Stops waiting for the agent; it is told with `$/cancel_request`. */
  abandon: AbortController;
  progress: TurnProgress;
  isCancelling: boolean;
  /** How much the agent has said and thought in it. */
  characters: number;
  cancelGrace?: () => void;
  stopWatching?: (() => void) | undefined;
}

/** Why we no longer wait for a cancelled turn. */
export const GIVEN_UP: unique symbol = Symbol('given up');
/** The answer to the prompt will not come, but the turn may go on. */
export const CUT_OFF: unique symbol = Symbol('cut off');
/** A turn that was cancelled before its prompt had been sent. */
export const NOT_SENT: unique symbol = Symbol('not sent');

/** A prompt of a steered turn that was taken back. */
export const WITHDRAWN: unique symbol = Symbol('withdrawn');

/** A turn that is about to begin. */
export function createActiveTurn(
  turn: PromptTurn,
  { sendsId, whenBusy }: { readonly sendsId: boolean; readonly whenBusy?: 'queue' | 'steer' },
): ActiveTurn {
  const { promptId } = turn;
  return {
    turn,
    agentTurn: new AgentTurn(turn.prompt, sendsId ? promptId : undefined),
    meta:
      sendsId || whenBusy
        ? {
            ...(whenBusy && { [META.whenBusy]: whenBusy }),
            ...turn.meta,
            ...(sendsId && { [META.promptId]: promptId }),
          }
        : turn.meta,
    sendsId,
    index: 0,
    abandon: new AbortController(),
    progress: PREPARING,
    isCancelling: false,
    characters: 0,
  };
}

/** Begins a turn in the transcript. */
export function beginTurn(session: PromptingSession, active: ActiveTurn): void {
  const { turn } = active;
  turn.state = 'running';
  session.apply({ type: 'turn_started', prompt: turn.prompt });
  active.index = session.transcript.turns.length - 1;
}

/** The connection is lost, and with it the answer to the prompt. False when it was lost before. */
export function loseTurn(active: ActiveTurn, error: unknown, onAbandoned: (reason: unknown) => void): boolean {
  const { progress } = active;
  active.progress = progress.name === 'told' ? { ...progress, error } : { name: 'lost', error };
  active.stopWatching?.();
  if (progress.name !== 'sent') return false;
  active.abandon.abort(CUT_OFF);
  active.abandon = new AbortController();
  const { signal } = active.abandon;
  signal.addEventListener('abort', () => onAbandoned(signal.reason));
  return true;
}

/** The error with which the connection of a turn was lost. */
export function lossOf({ progress }: ActiveTurn): unknown {
  return 'error' in progress ? progress.error : undefined;
}

/** Waits until the prompt may be sent. */
export async function beforeSending(active: ActiveTurn, prepared: Promise<void>): Promise<void> {
  await prepared;
  active.abandon.signal.throwIfAborted();
  if (active.isCancelling) throw NOT_SENT;
}

/** Counts what the agent says in a turn; throws when it is too much. */
export function countSaid(active: ActiveTurn, event: TranscriptEvent, maxTurnCharacters: number): void {
  const isSaid = (event.type === 'message_chunk' && event.speaker === 'agent') || event.type === 'thought_chunk';
  if (!isSaid || event.content.type !== 'text') return;
  active.characters += event.content.text.length;
  if (active.characters <= maxTurnCharacters) return;
  throw new UpdateError(
    'turn_too_long',
    `The agent said more than ${maxTurnCharacters} characters in one turn, more than can be kept; the turn was cancelled. What came before is whole. Ask for less at a time, or for a file.`,
  );
}
