export { isRecord } from '@parley/jsonrpc/internal';
export { checkFields, checkShape, formatProblem, type ShapeProblem } from './check-shape.ts';
export { closest, didYouMean } from './closest.ts';
export { compileShape } from './compile-shape.ts';
export type { Field, Fields, NotationCheck, Shape } from './shape.ts';
export { describeField, type FileSchemaOptions, fileSchema, toSchema } from './shape-schema.ts';
