export {
  type GuardCell,
  type GuardMatrixOptions,
  type GuardMatrixReport,
  GuardSender,
  MATRIX_HOST,
  MATRIX_ORIGIN,
  runGuardMatrix,
  type Verdict,
} from './guard-matrix.ts';
