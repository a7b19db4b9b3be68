export { describeExitCodes, EXIT_CODES, type ExitCodeSet, type ExitName, exitCode } from '@parley/host/command-line';
