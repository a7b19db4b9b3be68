import type { CommandEntry } from './command.ts';

const TALK = 'Talk to an agent:';
const KEEP = 'Saved sessions:';
const LOOK = 'Look closer:';
const SETUP = 'Set up:';

/** Every command, in the order of `parley --help`. A command's file is loaded only when the command is used. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'chat',
    summary: 'chat in the terminal (what `parley` alone does)',
    group: TALK,
    load: () => import('./chat.ts'),
  },
  {
    name: 'exec',
    summary: 'one prompt, one answer, nothing saved',
    group: TALK,
    load: () => import('./exec.ts'),
  },
  {
    name: 'compare',
    summary: 'one prompt to several agents, one row for each',
    group: TALK,
    load: () => import('./compare.ts'),
  },
  {
    name: 'agent',
    summary: 'our coding agent on stdio, for editors',
    group: TALK,
    load: () => import('./agent.ts'),
  },
  {
    name: 'prompt',
    summary: 'one prompt in a saved session',
    group: KEEP,
    load: () => import('./prompt.ts'),
  },
  {
    name: 'sessions',
    summary: 'list, show, resume, fork, export, import, delete and watch sessions',
    group: KEEP,
    load: () => import('./sessions.ts'),
  },
  {
    name: 'status',
    summary: 'what a session is doing',
    group: KEEP,
    load: () => import('./status.ts'),
  },
  {
    name: 'cancel',
    summary: 'stop the turn that runs in a session',
    group: KEEP,
    load: () => import('./cancel.ts'),
  },
  {
    name: 'set',
    summary: 'change mode, model or an option of a session',
    group: KEEP,
    load: () => import('./set.ts'),
  },
  {
    name: 'set-mode',
    summary: 'change the mode of a session',
    group: KEEP,
    load: () => import('./set-mode.ts'),
  },
  {
    name: 'check',
    summary: 'check an agent or a client against the specification',
    group: LOOK,
    load: () => import('./check.ts'),
    runRaw: async (args, context) => (await import('./check.ts')).runRaw(args, context),
  },
  {
    name: 'inspect',
    summary: 'see what a client and an agent say to each other',
    group: LOOK,
    load: () => import('./inspect.ts'),
  },
  {
    name: 'trace',
    summary: 'show and replay what was recorded',
    group: LOOK,
    load: () => import('./trace.ts'),
  },
  {
    name: 'doctor',
    summary: 'what is wrong with this machine or an agent',
    group: SETUP,
    load: () => import('./doctor.ts'),
  },
  {
    name: 'agents',
    summary: 'list, add, remove and show agents',
    group: SETUP,
    load: () => import('./agents.ts'),
  },
  {
    name: 'permissions',
    summary: 'list, revoke and explain permissions',
    group: SETUP,
    load: () => import('./permissions.ts'),
  },
  {
    name: 'config',
    summary: 'get, set and edit settings',
    group: SETUP,
    load: () => import('./config.ts'),
  },
  {
    name: 'completion',
    summary: 'completion for bash, zsh and fish',
    group: SETUP,
    load: () => import('./completion.ts'),
  },
];
