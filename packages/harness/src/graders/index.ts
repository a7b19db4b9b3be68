export type { Grader, GraderFunction } from './grader.ts';
export { DEFAULT_GRADER_TIMEOUT_MS } from './grader.ts';
export { GraderError } from './grader-error.ts';
export {
  type ComparisonGrader,
  graderOf,
  type LoadGraderOptions,
  loadComparisonGrader,
  loadGrader,
} from './load-grader.ts';
export { READY_GRADERS } from './ready/list.ts';
export type { ParleyStart, ReadyGrader } from './ready/ready-grader.ts';
