export type { CommandContext } from './command-context.ts';
export { CliError, type CliErrorCode, usageError } from './errors.ts';
export {
  describeExitCodes,
  EXIT_CODES,
  Exit,
  type ExitCodeSet,
  type ExitName,
  exitCode,
} from './exit-codes.ts';
export { type Finding, fail, note, ok, warn } from './finding.ts';
export { type Interruption, type InterruptionOptions, watchInterruption } from './interruption.ts';
export { leave } from './leave.ts';
export { outputError, writeWhole } from './output-error.ts';
export { collect, readCount, readNumber, requireChoice } from './read-flags.ts';
