export { RememberedFormatError, RuleSyntaxError, WorkspaceError } from './errors.ts';
export { decide } from './judge/decide.ts';
export { decideForPerson } from './judge/decide-for-person.ts';
export type { Decision, Finding, Reason, Verdict } from './judge/decision.ts';
export { explain, explainAsData } from './judge/explain.ts';
export { createPolicy, type Policy, type PolicyOptions, type Shell } from './judge/policy.ts';
export { parseRemembered } from './memory/parse-remembered.ts';
export { holdsAt, type Place, type Remembered, type RememberedWhat, type RememberScope } from './memory/remembered.ts';
export { createMemoryRemembered, forgetSession, type RememberedStore } from './memory/remembered-store.ts';
export { identifiesRequest } from './memory/request-key.ts';
export { applyExitPlan, exitPlanOptions, type ModeState } from './modes/exit-plan-mode.ts';
export {
  isPermissionMode,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionModeEntry,
  permissionModeIds,
} from './modes/permission-modes.ts';
export {
  BEHAVIOUR_MODES,
  type BehaviourModeId,
  TOOL_PRESETS,
  type ToolFacts,
  type ToolPresetId,
  type ToolSelector,
  type ToolSet,
  toolsIn,
} from './modes/tool-sets.ts';
export {
  chooseByVerdict,
  chooseOption,
  findPermissionOption,
  isLasting,
  meaningOf,
  type OptionChoice,
  type PermissionAnswer,
  whyPersonChooses,
} from './options/choose-option.ts';
export { type Answer, type OfferedOption, offerOptions, readAnswer, readOptions } from './options/offer-options.ts';
export { type LastingAnswer, rememberedFrom, type ToRemember } from './options/what-to-remember.ts';
export type { CommandInput, ToolRequest } from './request/request.ts';
export { SAFETY_LEVELS, type SafetyHints, type SafetyLevel } from './request/safety.ts';
export { requestFromTerminal, requestFromToolCall } from './request/tool-call.ts';
export { TOOL_CLASSES, type ToolClass } from './request/tool-class.ts';
export { LOOKING_RULES, lookingRules } from './rules/everyday-rules.ts';
export { CREDENTIAL_PATHS, PROTECTED_PATHS } from './rules/protected-paths.ts';
export {
  type Effect,
  parseRule,
  parseRules,
  type Rule,
  type RuleLists,
  type RuleSource,
} from './rules/rule.ts';
export { describeLine, type LineDescription, type ProgramForm } from './shell/describe-line.ts';
export type { FolderEntry, Workspace } from './workspace/paths.ts';
