export { type Check, check } from './agent/agent-check.ts';
export { AGENT_CHECKS, agentChecks } from './agent/agent-checks.ts';
export { parseTarget, type Target } from './agent/agent-target.ts';
export { DEFAULT_PROMPTS, type Prompts } from './agent/run/prompts.ts';
export { type RunChecksOptions, runChecks } from './agent/run/run-agent-checks.ts';
export { type CheckFacts, GROUPS, type Group, type Level, type Outcome } from './check.ts';
export type { ClientCheck } from './client/client-check.ts';
export { CLIENT_CHECKS, clientChecks } from './client/client-checks.ts';
export type { ClientTarget, ConnectClient } from './client/client-target.ts';
export { type RunClientChecksOptions, runClientChecks } from './client/run/run-client-checks.ts';
export { formatReport } from './command/format-report.ts';
export type { ReportFormat } from './command/parse-command-line.ts';
export { type CommandIo, EXIT_CODES, runCommand } from './command/run-command.ts';
export { ConformanceError, type ConformanceErrorCode } from './errors.ts';
export { type CheckLimits, DEFAULT_CHECK_LIMITS } from './limits.ts';
export { type Comparison, compareReports } from './report/compare.ts';
export { readReport } from './report/read-report.ts';
export { type CheckResult, hasFailed, type Report, type Score, scoreOf } from './report/report.ts';
export {
  checksOfRule,
  FIRST_VERSION_RULES,
  RULE_COUNT,
  SECOND_VERSION_RULES,
  UNCHECKED_RULES,
} from './rules.ts';
export type { Progress } from './run/progress.ts';
export type { Protocol } from './versions/protocol.ts';
