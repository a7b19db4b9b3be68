export { headOf, tailOf } from '../text.ts';
export { type Answer, applyModelEvent, collectAnswer, EMPTY_ANSWER, messageOf } from './answer.ts';
export { addUsage, costOf, type ModelPrice } from './cost.ts';
export { ModelError, type ModelErrorCode } from './errors.ts';
export {
  type AssistantMessage,
  type AssistantPart,
  type ContentPart,
  type History,
  type HistoryMessage,
  type ProviderSignature,
  type ToolCallPart,
  type ToolResult,
  textOf,
  toolCallsOf,
  type UserMessage,
} from './history.ts';
export {
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelStopReason,
  type ThinkingLevel,
  type ToolDefinition,
  type Usage,
  ZERO_USAGE,
} from './model.ts';
export { repairHistory } from './repair-history.ts';
export { isSituation, lastSituation, situationText, withNote } from './situation.ts';
