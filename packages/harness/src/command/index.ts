export type { EvalAgent, EvalContext } from './eval-context.ts';
export { EVAL_COMMANDS, type EvalCommand } from './list.ts';
