export { AGENT_CHECKS } from './agent-checks.ts';
export { type Check, type CheckFacts, check, GROUPS, type Group, type Level, type Outcome } from './check.ts';
export { type CommandIo, runCommand } from './command/run-command.ts';
export { ConformanceError, type ConformanceErrorCode } from './errors.ts';
export { type CheckLimits, DEFAULT_CHECK_LIMITS, limitsFor } from './limits.ts';
export type { CheckResult, Report } from './report/report.ts';
export { type Progress, type RunChecksOptions, runChecks } from './run/run-checks.ts';
export { describeTarget, parseTarget, type Target } from './target.ts';
