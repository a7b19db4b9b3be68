export type {
  AttemptFacts,
  ChangedFile,
  Cost,
  FailureKind,
  HarnessFacts,
  ProtocolQuality,
  Timing,
  Usage,
  WorkspaceChanges,
  WorkspaceRecord,
} from './attempt.ts';
export { type CaptureResult, captureResult, type TrajectoryRichness } from './capture-result.ts';
export {
  type ComparisonMeta,
  type ComparisonReport,
  comparisonReport,
  type Interval,
  type LatencyStats,
  type PairwiseComparison,
  type PerformanceMetrics,
  type PromptComparison,
  type QualityMetrics,
  type ReliabilityMetrics,
  SCORE_BUCKETS,
  type ScoreBucket,
  type TrajectoryInfo,
} from './comparison-report.ts';
export type { Format, LinePlace } from './format.ts';
export {
  type ComparedCapture,
  type ComparedTrials,
  type ComparisonGraderParams,
  type ComparisonGraderResult,
  comparisonGraderParams,
  comparisonGraderResult,
  type GraderParams,
  type GraderResult,
  graderParams,
  graderResult,
} from './grader.ts';
export { type LineWriter, type OpenLineWriterOptions, openLineWriter } from './line-writer.ts';
export { FORMATS } from './list.ts';
export type { PermissionRecord } from './permission.ts';
export {
  type ExtractedResult,
  extractedResult,
  type GradedResult,
  gradedResult,
  type RawResult,
  rawResult,
} from './pipeline.ts';
export { type PromptCase, promptCase } from './prompt-case.ts';
export { type Line, type LineSource, type ReadLinesOptions, readAllLines, readJsonLines } from './read-lines.ts';
export {
  type MessageStep,
  type PlanStep,
  type ThoughtStep,
  type ToolCallStep,
  type TrajectoryStep,
  trajectoryStep,
} from './trajectory.ts';
export { type TrialEntry, type TrialResult, trialEntry, trialResult } from './trial-result.ts';
export * from './trials-comparison-report.ts';
export * from './views.ts';
