export { isSteered } from './apply-chunk.ts';
export { applyEvent } from './apply-event.ts';
export { getTerminal } from './apply-terminal.ts';
export { getToolCall, isFinal } from './apply-tool-call.ts';
export { getMessage } from './apply-whole.ts';
export type {
  CompactionEntry,
  Entry,
  MessageEntry,
  NoticeEntry,
  ThoughtEntry,
  ToolCallEntry,
  UnknownEntry,
} from './entry.ts';
export { List } from './list.ts';
export { emptied, mergeReplay } from './merge-replay.ts';
export { piecesOfWhole } from './pieces-of-whole.ts';
export {
  filterToolCalls,
  type Summary,
  summarizeFrom,
  summarizeTranscript,
  summarizeTurn,
  type TurnResult,
} from './summary.ts';
export {
  type ContextUsage,
  createTranscript,
  type ModeState,
  type PlanRecord,
  type SessionState,
  type SubagentRecord,
  sumTokens,
  type TerminalRecord,
  type TokenUsage,
  type Transcript,
  type TurnRecord,
} from './transcript.ts';
export type { LocalEvent, TranscriptEvent } from './transcript-event.ts';
