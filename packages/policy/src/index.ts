export { RememberedFormatError, RuleSyntaxError, WorkspaceError } from './errors.ts';
export { decide } from './judge/decide.ts';
export type { Decision, Finding, Reason, Verdict } from './judge/decision.ts';
export { explain, explainAsData } from './judge/explain.ts';
export { createPolicy, type Policy, type PolicyOptions, type Shell } from './judge/policy.ts';
export {
  createMemoryRemembered,
  holdsAt,
  type Place,
  parseRemembered,
  type Remembered,
  type RememberedStore,
  type RememberedWhat,
  type RememberScope,
  requestKey,
} from './memory/remembered.ts';
export { applyExitPlan, exitPlanOptions, isPlanning, type ModeState } from './modes/exit-plan-mode.ts';
export {
  isPermissionMode,
  modeForAutoApprove,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionModeEntry,
} from './modes/permission-modes.ts';
export {
  BEHAVIOUR_MODES,
  type BehaviourModeId,
  isAvailable,
  TOOL_PRESETS,
  type ToolFacts,
  type ToolPresetId,
  type ToolSelector,
  type ToolSet,
  toolsIn,
} from './modes/tool-sets.ts';
export { answerRequest, decideForPerson, type Treatment } from './options/answer-request.ts';
export {
  type Answer,
  type Choice,
  chooseOutcome,
  describeRequest,
  type OfferedOption,
  offerOptions,
  readAnswer,
  rememberedFrom,
} from './options/options.ts';
export { quoteWords } from './pattern/command-pattern.ts';
export type { CommandInput, ToolRequest } from './request/request.ts';
export { levelOfKind, parseSafetyLevel, SAFETY_LEVELS, type SafetyHints, type SafetyLevel } from './request/safety.ts';
export { requestFromTerminal, requestFromToolCall } from './request/tool-call.ts';
export { TOOL_CLASSES, type ToolClass } from './request/tool-class.ts';
export { LOOKING_RULES, lookingRules } from './rules/everyday-rules.ts';
export { PROTECTED_PATHS } from './rules/protected-paths.ts';
export {
  type Effect,
  formatRule,
  MAX_RULE_CHARS,
  parseRule,
  parseRules,
  type Rule,
  type RuleLists,
  type RuleSource,
} from './rules/rule.ts';
export { MAX_COMMAND_CHARS, showText } from './shell/check-text.ts';
export type { FolderEntry, Workspace } from './workspace/paths.ts';
