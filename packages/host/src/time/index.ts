export { runWithin, TimeLimitError } from './run-within.ts';
