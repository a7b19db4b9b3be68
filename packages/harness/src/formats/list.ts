import { captureResult } from './capture-result.ts';
import { comparisonReport } from './comparison-report.ts';
import type { Format } from './format.ts';
import { comparisonGraderParams, comparisonGraderResult, graderParams, graderResult } from './grader.ts';
import { extractedResult, gradedResult, rawResult } from './pipeline.ts';
import { promptCase } from './prompt-case.ts';
import { trajectoryStep } from './trajectory.ts';
import { trialEntry, trialResult } from './trial-result.ts';
import { trialsComparisonReport } from './trials-comparison-report.ts';
import { balanceAnalysis, calibrationSample, summaryResult, validationResult } from './views.ts';

/** Every file format, in the order in which people meet them. */
export const FORMATS: readonly Format<unknown>[] = [
  promptCase,
  trajectoryStep,
  captureResult,
  trialEntry,
  trialResult,
  graderParams,
  graderResult,
  summaryResult,
  calibrationSample,
  balanceAnalysis,
  validationResult,
  rawResult,
  extractedResult,
  gradedResult,
  comparisonGraderParams,
  comparisonGraderResult,
  comparisonReport,
  trialsComparisonReport,
];
