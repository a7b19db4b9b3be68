export { HarnessError, type HarnessErrorCode, LineError } from './errors.ts';
export * from './formats/index.ts';
