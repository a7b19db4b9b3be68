export type { ResolvedAgent } from './agents/resolved-agent.ts';
export { type CliContext, processContext } from './context.ts';
export { EXIT_CODES, type ExitName } from './exit-codes.ts';
export { runMain } from './run-main.ts';
