import type { SlashCommand } from './command.ts';

const PROMPT = `Look at this project and write AGENTS.md in its root, for agents that will work here after you.

Look first: the README, the files that name scripts, dependencies and settings, the layout of the folders, how tests are run, a few typical source files, and rules that are written down already (CLAUDE.md, CONTRIBUTING.md, .cursor/rules, .github/copilot-instructions.md). Where there is an AGENTS.md, improve it and keep what is still so.

Then write what somebody would need who has never seen it, and could not see at a glance:
- commands: install, build, lint, all tests, one test
- how the code is laid out, and how its parts work together
- conventions that the code really follows: style, names, errors, tests
- what to be careful about

Be short (a page), name paths and commands exactly, try the commands that are quick and harmless, make nothing up, and repeat nothing that every programmer knows.`;

export const init: SlashCommand = {
  name: 'init',
  description: 'Write AGENTS.md by looking at the project',
  hint: 'what it should heed',
  asks: (input) => (input === '' ? PROMPT : `${PROMPT}\n\n${input}`),
};
