import { clear } from './clear.ts';
import type { SlashCommand } from './command.ts';
import { compact } from './compact.ts';
import { cost } from './cost.ts';
import { exportSession } from './export.ts';
import { help } from './help.ts';
import { init } from './init.ts';
import { mcp } from './mcp.ts';
import { mode } from './mode.ts';
import { model } from './model.ts';
import { permissions } from './permissions.ts';
import { plan } from './plan.ts';
import { undo } from './undo.ts';

/** Every slash command of the agent; the person's own and the project's come from their files. */
export const COMMANDS: readonly SlashCommand[] = [
  help,
  init,
  model,
  mode,
  plan,
  compact,
  clear,
  permissions,
  mcp,
  cost,
  exportSession,
  undo,
];
