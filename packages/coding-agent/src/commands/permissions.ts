import { PERMISSION_MODES, permissionModeIds } from '@parley/policy/modes';
import { PERMISSION_OPTION, permissionModeOf } from '../session/session-options.ts';
import type { SlashCommand } from './command.ts';

export const permissions: SlashCommand = {
  name: 'permissions',
  description: 'Show what runs without asking, or change it',
  hint: permissionModeIds().join(', '),
  async run({ turn, input }) {
    const found = Object.values(PERMISSION_MODES).find(({ id }) => id.toLowerCase() === input.toLowerCase());
    if (found) {
      turn.option(PERMISSION_OPTION, found.id);
      void turn.say(`Permissions: **${found.name}**. ${found.description}.`);
      return;
    }
    const now = permissionModeOf(turn.session);
    const lines = Object.values(PERMISSION_MODES).map(
      ({ id, description }) => `- \`${id}\`${id === now ? ' (now)' : ''}: ${description}`,
    );
    void turn.say(
      `${lines.join('\n')}\n\nLooking around (reading, searching, \`git status\` and the like) never asks inside the workspace. Answers you gave with "always" are listed by \`parley permissions list\`.`,
    );
  },
};
