import type { CommandModule, CommandName } from '../command.ts';

/** The file of each command, loaded only when the command is used. */
const FILES: Readonly<Record<CommandName, () => Promise<CommandModule>>> = {
  chat: () => import('./chat.ts'),
  exec: () => import('./exec.ts'),
  compare: () => import('./compare.ts'),
  agent: () => import('./agent.ts'),
  adapt: () => import('./adapt.ts'),
  serve: () => import('./serve.ts'),
  connect: () => import('./connect.ts'),
  prompt: () => import('./prompt.ts'),
  sessions: () => import('./sessions.ts'),
  status: () => import('./status.ts'),
  cancel: () => import('./cancel.ts'),
  set: () => import('./set.ts'),
  'set-mode': () => import('./set-mode.ts'),
  check: () => import('./check.ts'),
  inspect: () => import('./inspect.ts'),
  trace: () => import('./trace.ts'),
  eval: () => import('./eval.ts'),
  new: () => import('./new.ts'),
  doctor: () => import('./doctor.ts'),
  agents: () => import('./agents.ts'),
  login: () => import('./login.ts'),
  logout: () => import('./logout.ts'),
  models: () => import('./models.ts'),
  permissions: () => import('./permissions.ts'),
  config: () => import('./config.ts'),
  completion: () => import('./completion.ts'),
};

export function loadCommand(name: CommandName): Promise<CommandModule> {
  return FILES[name]();
}
