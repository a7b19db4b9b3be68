export type { CommandExit, RunningCommand } from './running-command.ts';
export { type StartCommandOptions, startCommand } from './start-command.ts';
