export { CliError, type CliErrorCode, usageError } from '@parley/host/command-line';
