import type { ContentBlock } from '@parley/protocol';
import type { CancellablePart, PlanEvent, TurnEnded } from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition } from '../contract/definition.ts';
import type { Meta, Session } from '../contract/session.ts';
import type { UserMessage } from '../contract/turn.ts';
import type { AgentDiagnostic } from '../diagnostics.ts';
import type { Questions } from '../questions/questions.ts';
import type { Viewers } from '../viewers/viewers.ts';

/** A turn as its session sees it. */
export interface TurnInProgress {
  readonly id: string;
  readonly content: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  /** Its prompt was meant for a turn before it. */
  readonly isSteered: boolean;
  /** The client that asked for it; undefined when it was asked for through the log. */
  readonly asker: ClientPeer | undefined;
  /** Aborts when it is cancelled, and at the latest when it has ended. */
  readonly signal: AbortSignal;
  /** Nothing happens in it any more; clients may have been told its end already. */
  readonly isOver: boolean;
  /** Asks it to end; it does as soon as its handler heeds the signal. */
  cancel(): void;
  /** Something was sent into it, which it may take. */
  tellMessage(): void;
  /** Asks for the end of one tool call or terminal; false when that cannot be cancelled. */
  cancelPart(part: CancellablePart): boolean;
  /** It cannot go on, whatever its handler does. */
  abort(reason: Error): void;
  /** The plan as it stands, whichever part of the agent has set it. */
  seePlan(plan: PlanEvent): void;
}

/** The place of the one turn that runs in a session. */
export interface TurnPlace {
  /** Gives the place to the next turn; doing it twice is fine. */
  release(): void;
  /** Nothing is left of the turn: who waits for its end goes on. */
  close(): void;
}

/** What is known of the turns of a session. */
export interface TurnRecords {
  /** Makes `turn` the one that runs; refuses a second. */
  begin(turn: TurnInProgress): TurnPlace;
  recordStart(turn: TurnInProgress): void;
  /** What was sent into a turn and not taken yet. */
  messagesFor(turn: TurnInProgress): readonly UserMessage[];
  /** What was sent into a turn since it last asked; it is part of the conversation from now on. */
  takeMessages(turn: TurnInProgress): readonly UserMessage[];
  recordEnd(end: Omit<TurnEnded, 'type' | 'oldestInput'>): void;
}

/** A session as its turns see it. */
export interface TurnSession extends Session {
  readonly definition: AgentDefinition;
  readonly viewers: Viewers;
  readonly questions: Questions;
  readonly turns: TurnRecords;
  /** Resolves when everything that was told before is shown; undefined when it is. */
  whenShown(): Promise<void> | undefined;
  /** As `whenShown`, for a client that may be behind the others. */
  whenSeen(peer: ClientPeer): Promise<void> | undefined;
  /** Makes this process the owner of the session while a turn runs; undefined when no other process can be. */
  hold(): Promise<unknown> | undefined;
  release(): Promise<void>;
  /** Everything said so far is in the log and shown, and what belongs to the session is saved. */
  settle(): Promise<void>;
  report(diagnostic: Omit<AgentDiagnostic, 'sessionId'>): void;
}
