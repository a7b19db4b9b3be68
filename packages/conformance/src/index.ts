export { type Check, check } from './agent/agent-check.ts';
export { AGENT_CHECKS } from './agent/agent-checks.ts';
export { describeTarget, parseTarget, type Target } from './agent/agent-target.ts';
export { DEFAULT_PROMPTS, type Prompts } from './agent/run/prompts.ts';
export { type RunChecksOptions, runChecks } from './agent/run/run-agent-checks.ts';
export { type CheckFacts, GROUPS, type Group, type Level, type Outcome } from './check.ts';
export type { ClientCheck } from './client/client-check.ts';
export { CLIENT_CHECKS } from './client/client-checks.ts';
export type { ClientTarget, ConnectClient } from './client/client-target.ts';
export { type RunClientChecksOptions, runClientChecks } from './client/run/run-client-checks.ts';
export { formatReport } from './command/format-report.ts';
export {
  type CommandLine,
  parseCommandLine,
  REPORT_FORMATS,
  type ReportFormat,
} from './command/parse-command-line.ts';
export { type CommandIo, EXIT_CODES, runCommand } from './command/run-command.ts';
export { ConformanceError, type ConformanceErrorCode } from './errors.ts';
export { type CheckLimits, DEFAULT_CHECK_LIMITS, limitsFor } from './limits.ts';
export { type Comparison, compareReports } from './report/compare.ts';
export { readReport } from './report/read-report.ts';
export { type CheckResult, hasFailed, type Report, type Score, scoreOf } from './report/report.ts';
export { checksOfRule, RULE_COUNT, UNCHECKED_RULES } from './rules.ts';
export type { Progress } from './run/progress.ts';
