/** Small functions for whoever shows, writes or counts what policy decides. Deciding needs none of them. */

export { isPlanning } from './modes/exit-plan-mode.ts';
export { modeForAutoApprove } from './modes/permission-modes.ts';
export { isAvailable } from './modes/tool-sets.ts';
export { isApproval } from './options/choose-option.ts';
export { describeRequest } from './options/what-to-remember.ts';
export { quoteWords } from './pattern/command-pattern.ts';
export { levelOfKind, parseSafetyLevel } from './request/safety.ts';
export { formatRule } from './rules/rule.ts';
export { showText } from './shell/check-text.ts';
