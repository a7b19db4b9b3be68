export type { CalledAgent, CalledAgents } from './agents/called-agent.ts';
export { createCodingAgent } from './coding-agent.ts';
export type { CodingAgentOptions, LastModel } from './coding-agent-options.ts';
export type { Hook, HookInput, Hooks } from './hooks/hooks.ts';
export { type Answer, applyModelEvent, collectAnswer, EMPTY_ANSWER, messageOf } from './models/answer.ts';
export { createAnthropicModel } from './models/anthropic/anthropic.ts';
export { addUsage, costOf } from './models/cost.ts';
export { KNOWN_MODELS, type KnownModel, type ModelPrice } from './models/discovery/catalog.ts';
export type { Environment } from './models/discovery/configured-endpoints.ts';
export { type DiscoverOptions, discoverModels } from './models/discovery/discover.ts';
export { type DiscoveredProvider, type Discovery, discoverAtOnce } from './models/discovery/discovery.ts';
export { findOffer } from './models/discovery/find-offer.ts';
export { KEY_PROVIDERS, type KeyProvider } from './models/discovery/login-methods.ts';
export type { ListCache } from './models/discovery/model-lists.ts';
export type { ModelOffer } from './models/discovery/offer.ts';
export type { ModelSettings, ProviderSettings, ProvidersSettings } from './models/discovery/provider-settings.ts';
export { ModelError, type ModelErrorCode } from './models/errors.ts';
export { createGeminiModel } from './models/gemini/gemini.ts';
export {
  type AssistantMessage,
  type ContentPart,
  type History,
  type HistoryMessage,
  type ToolCallPart,
  type ToolResult,
  textOf,
  toolCallsOf,
} from './models/history/history.ts';
export { repairHistory } from './models/history/repair-history.ts';
export type {
  Model,
  ModelEvent,
  ModelRequest,
  ModelStopReason,
  ThinkingLevel,
  ToolDefinition,
  Usage,
} from './models/model.ts';
export { isNotUnderstood } from './models/offline/help.ts';
export { createOfflineModel, type OfflineModelOptions } from './models/offline/offline-model.ts';
export { type ParsedPrompt, parsePrompt } from './models/offline/parse-prompt.ts';
export { createOpenAiChatModel } from './models/openai-chat/openai-chat.ts';
export { createOpenAiResponsesModel } from './models/openai-responses/openai-responses.ts';
export { type RetryOptions, withRetries } from './models/retry.ts';
export type { PersonalFolders } from './project/folders.ts';
export { fileListCache, type ServeCodingAgentOptions, serveCodingAgent } from './serve-coding-agent.ts';
export { findProjectSkills, type ProjectSkill } from './skills/find-skills.ts';
export type { Skill } from './skills/skill.ts';
export type { TaskLimits } from './tasks/task-limits.ts';
export { TOOL_NAMES } from './tools/list.ts';
