export { answerRequest, decideForPerson, type Treatment } from './answer-request.ts';
export { decide } from './decide.ts';
export type { Decision, Finding, Reason, Verdict } from './decision.ts';
export { RememberedFormatError, RuleSyntaxError, WorkspaceError } from './errors.ts';
export { LOOKING_RULES, lookingRules } from './everyday-rules.ts';
export { applyExitPlan, exitPlanOptions, isPlanning, type ModeState } from './exit-plan-mode.ts';
export { explain, explainAsData } from './explain.ts';
export {
  isPermissionMode,
  modeForAutoApprove,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionModeEntry,
} from './modes.ts';
export {
  type Answer,
  type Choice,
  chooseOutcome,
  describeRequest,
  type OfferedOption,
  offerOptions,
  readAnswer,
  rememberedFrom,
} from './options.ts';
export type { FolderEntry, Workspace } from './paths.ts';
export { quoteWords } from './pattern/command-pattern.ts';
export { createPolicy, type Policy, type PolicyOptions, type Shell } from './policy.ts';
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
} from './presets.ts';
export { PROTECTED_PATHS } from './protected-paths.ts';
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
} from './remembered.ts';
export type { CommandInput, ToolRequest } from './request.ts';
export {
  type Effect,
  formatRule,
  MAX_RULE_CHARS,
  parseRule,
  parseRules,
  type Rule,
  type RuleLists,
  type RuleSource,
} from './rule.ts';
export { levelOfKind, parseSafetyLevel, SAFETY_LEVELS, type SafetyHints, type SafetyLevel } from './safety.ts';
export { MAX_COMMAND_CHARS, showText } from './shell/check-text.ts';
export { requestFromTerminal, requestFromToolCall } from './tool-call.ts';
export { TOOL_CLASSES, type ToolClass } from './tool-class.ts';
