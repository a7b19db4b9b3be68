export { detectByEndpoint, detectByFirstBytes } from './detect.ts';
export { ERROR_CODES, ERROR_MEANINGS } from './error-codes.ts';
export { type LaunchConfig, LaunchConfigError, parseLaunchConfig } from './launch-config.ts';
export { DIALECT_LOSSES, type DialectLoss } from './losses.ts';
export { DIALECT_NAMES, type DialectName, isDialectName } from './names.ts';
export type {
  DialectChoice,
  DialectMode,
  DialectNote,
  DialectOptions,
  DialectSetting,
  KnownSession,
} from './options.ts';
export type { Later, Outcome } from './translate/outcome.ts';
export { readMessage } from './translate/read-message.ts';
export { createDialectState, DIALECT_LIMITS, type DialectState } from './translate/state.ts';
export { writeMessage } from './translate/write-message.ts';
export { dialectOf, withDialect } from './transport/with-dialect.ts';
export {
  DIALECT_WIRES,
  type DialectWires,
  type ElephantEndpoints,
  elephantClientId,
  elephantEndpoints,
  fitsPostOnly,
} from './wires.ts';
