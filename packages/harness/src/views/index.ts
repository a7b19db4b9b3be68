export {
  analyseBalance,
  type BalanceOptions,
  DEFAULT_BALANCE_THRESHOLD,
  DEFAULT_CATEGORY_FIELD,
  formatBalance,
} from './balance.ts';
export { type CalibrateOptions, type Calibration, calibrate, DEFAULT_SAMPLE, formatCalibration } from './calibrate.ts';
export { FORMAT_STYLES, type FormatStyle, formatResults } from './format-results.ts';
export type { NamedSchema } from './named-schema.ts';
export { combineSchemas, findSchema, listSchemas } from './schemas.ts';
export { attemptsOf, formatSummary, summarize, type ViewedAttempt } from './summarize.ts';
export { type ValidatedReference, type ValidateOptions, validateReferences } from './validate-references.ts';
