export { extract } from './extract.ts';
export { gradeResult } from './grade-results.ts';
export { type CommandPlan, type RawRunOptions, runRaw } from './raw-run.ts';
