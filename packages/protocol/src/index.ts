export { eventFromV1 } from './events/from-v1.ts';
export type * from './events/session-event.ts';
export { eventToV1 } from './events/to-v1.ts';
export {
  createProtocol,
  type MethodSpec,
  type MethodTable,
  type NotificationSpec,
  type NotificationTable,
  type ParamsOf,
  type Protocol,
  type Receiver,
  type RequestSpec,
  type RequestTable,
  type ResultOf,
} from './methods.ts';
export type * from './v1/index.ts';
export { METHODS, v1, validators } from './v1/index.ts';
export { parse, type Validator, type Validators } from './validation/parse.ts';
export { INVALID, type Problem, takeProblem } from './validation/problem.ts';
export { formatPath, ValidationError } from './validation/validation-error.ts';
