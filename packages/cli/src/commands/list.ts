import type { CommandEntry } from '../command.ts';

const TALK = 'Talk to an agent:';
const KEEP = 'Saved sessions:';
const LOOK = 'Look closer:';
const BUILD = 'Build your own:';
const SETUP = 'Set up:';

/** Every command, in the order of `parley --help`. `load-command.ts` names the file of each. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'chat',
    summary: 'chat in the terminal (what `parley` alone does)',
    group: TALK,
  },
  {
    name: 'exec',
    summary: 'one prompt, one answer, nothing saved',
    group: TALK,
  },
  {
    name: 'compare',
    summary: 'one prompt to several agents, one row for each',
    group: TALK,
  },
  {
    name: 'agent',
    summary: 'our coding agent on stdio, for editors; with --listen on the network',
    group: TALK,
  },
  {
    name: 'serve',
    summary: 'host agents on the network, with sessions that survive',
    group: TALK,
  },
  {
    name: 'adapt',
    summary: 'a command-line agent as an ACP agent, by a description; record and test one',
    group: TALK,
  },
  {
    name: 'connect',
    summary: 'an agent on the network as one on stdio, for editors',
    group: TALK,
  },
  {
    name: 'prompt',
    summary: 'one prompt in a saved session',
    group: KEEP,
  },
  {
    name: 'sessions',
    summary: 'list, show, resume, fork, export, import, delete and watch sessions',
    group: KEEP,
  },
  {
    name: 'status',
    summary: 'what a session is doing',
    group: KEEP,
  },
  {
    name: 'cancel',
    summary: 'stop the turn that runs in a session',
    group: KEEP,
  },
  {
    name: 'set',
    summary: 'change mode, model or an option of a session',
    group: KEEP,
  },
  {
    name: 'set-mode',
    summary: 'change the mode of a session',
    group: KEEP,
  },
  {
    name: 'check',
    summary: 'check an agent or a client against the specification',
    group: LOOK,
    readsOwnArguments: true,
  },
  {
    name: 'inspect',
    summary: 'see what a client and an agent say to each other',
    group: LOOK,
  },
  {
    name: 'trace',
    summary: 'show and replay what was recorded',
    group: LOOK,
  },
  {
    name: 'eval',
    summary: 'put cases to an agent, grade what it does, and compare runs',
    group: LOOK,
  },
  {
    name: 'new',
    summary: 'make an agent, a client, an adapter or a grader',
    group: BUILD,
  },
  {
    name: 'doctor',
    summary: 'what is wrong with this machine or an agent',
    group: SETUP,
  },
  {
    name: 'agents',
    summary: 'list, add, remove and show agents',
    group: SETUP,
  },
  {
    name: 'login',
    summary: 'store a key for the models of our own agent',
    group: SETUP,
  },
  {
    name: 'logout',
    summary: 'take a stored key away',
    group: SETUP,
  },
  {
    name: 'models',
    summary: 'list the models of our own agent, and choose one',
    group: SETUP,
  },
  {
    name: 'permissions',
    summary: 'list, revoke and explain permissions',
    group: SETUP,
  },
  {
    name: 'config',
    summary: 'get, set and edit settings',
    group: SETUP,
  },
  {
    name: 'completion',
    summary: 'completion for bash, zsh and fish',
    group: SETUP,
  },
];
