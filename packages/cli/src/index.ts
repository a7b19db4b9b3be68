export { EXIT_CODES, type ExitName } from '@parley/host/command-line';
export type { ResolvedAgent } from './agents/resolved-agent.ts';
export { type CliContext, processContext } from './context.ts';
export { runMain } from './run-main.ts';
