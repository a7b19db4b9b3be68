// What the generated validators are made of.
export * from './checks.ts';
export { isDateTime } from './date-time.ts';
export type { Validators } from './parse.ts';
export { expected, expectedOneOf, INVALID, under, unknownVariant } from './problem.ts';
export * from './unions.ts';
