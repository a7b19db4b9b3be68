export { extract } from './extract.ts';
export {
  type AnyResult,
  anyResult,
  type ResultFormatter,
  type ResultStyle,
  resultFormatter,
} from './format-results.ts';
export { gradeResult } from './grade-results.ts';
export { type CommandPlan, type RawRunOptions, runRaw } from './raw-run.ts';
