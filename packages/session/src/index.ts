export { agentSessionIdOf } from './agent-session-id.ts';
export {
  type AnswerInput,
  type CancelInput,
  type CancellablePart,
  type CancelPartInput,
  type ChangeInput,
  type EventEntry,
  type InputEntry,
  type InputTaken,
  isInput,
  isPassing,
  isSetting,
  type LogEntry,
  type OutputEntry,
  type PromptInput,
  promptEvents,
  promptMessageId,
  type QuestionAnswered,
  type QuestionAsked,
  type QuestionWithdrawn,
  readEntry,
  shownBy,
  stateOf,
  steeredEvents,
  type TurnEnded,
  type TurnStarted,
  type TurnsDropped,
  writeEntry,
  writeEvent,
} from './entry.ts';
export type * from './event.ts';
export { type Extra, otherFields } from './extra.ts';
export { META } from './meta.ts';
export { type NoticeMark, noticeMark, readNoticeMark } from './notice-mark.ts';
export type { AgentOffer, AgentOffers, ClientOffers } from './offers.ts';
export type * from './parts.ts';
export { knownToolKind, textOfChanges } from './parts.ts';
export {
  applyEntry,
  NO_PROGRESS,
  type OpenQuestion,
  type QueuedPrompt,
  queuedPrompts,
  type SessionProgress,
  type TurnState,
  turnState,
  type WaitingInput,
} from './progress.ts';
export type {
  Answer,
  FormAnswer,
  FormQuestion,
  FormReply,
  PageQuestion,
  PermissionAnswer,
  PermissionQuestion,
  Question,
  QuestionedToolCall,
} from './question.ts';
export * from './transcript/index.ts';
export {
  formAnswerFromV1,
  formFromV1,
  formReplyToV1,
  formToV1,
  type NewFormQuestion,
  permissionAnswerFromV1,
  permissionAnswerToV1,
  permissionFromV1,
  permissionToV1,
} from './v1/questions.ts';
export { agentOffersFromV1, clientOffersFromV1, v1CapabilityOf } from './v1/read-offers.ts';
export { eventFromV1, stateFromV1 } from './v1/read-update.ts';
export { planToUnstableV1, unstableEventFromV1 } from './v1/unstable-updates.ts';
export { besideFields, eventToV1, stateToV1, stopReasonToV1, toolCallToV1 } from './v1/write-update.ts';
