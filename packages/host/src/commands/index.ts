export { type CommandExit, RunningCommand } from './running-command.ts';
export { DEFAULT_KILL_GRACE_MS, type StartCommandOptions, startCommand } from './start-command.ts';
