export { type CreateReportOptions, createReport, formatRows, type Report } from './create-report.ts';
export type { FailedAttempt, FailureGroup } from './failure-groups.ts';
export type { ReportModel, ReportOptions, RunSummary, TaskSummary } from './model.ts';
