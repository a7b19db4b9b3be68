import { commandOutput } from './commands/command-output.ts';
import { runCommand } from './commands/run-command.ts';
import { stopCommand } from './commands/stop-command.ts';
import { askUser } from './conversation/ask-user.ts';
import { exitPlanMode } from './conversation/exit-plan-mode.ts';
import { updatePlan } from './conversation/update-plan.ts';
import { fetchUrl } from './fetch-url.ts';
import { deleteFile } from './files/delete-file.ts';
import { editFile } from './files/edit-file.ts';
import { listFiles } from './files/list-files.ts';
import { moveFile } from './files/move-file.ts';
import { readFile } from './files/read-file.ts';
import { searchFiles } from './files/search-files.ts';
import { writeFile } from './files/write-file.ts';
import { createSandboxTool } from './sandboxed.ts';
import { task } from './task.ts';
import type { Tool } from './tool.ts';
import { webSearch } from './web-search.ts';

/** Tools that touch files and processes. */
const LOCAL: readonly Tool[] = [
  readFile,
  listFiles,
  searchFiles,
  editFile,
  writeFile,
  deleteFile,
  moveFile,
  runCommand,
  commandOutput,
  stopCommand,
].map((tool) => tool as Tool);

/** Every tool of the agent, in the order in which the model reads them. */
export const TOOLS: readonly Tool[] = [
  ...LOCAL,
  ...[fetchUrl, webSearch, task, updatePlan, askUser, exitPlanMode].map((tool) => tool as Tool),
];

/** What takes the place of the local tools in the preset `sandbox`. */
export const SANDBOX_TOOLS: readonly Tool[] = LOCAL.map(createSandboxTool);

/** The names of all tools that a session can have, but for those of MCP servers. */
export const TOOL_NAMES: readonly string[] = [
  ...TOOLS.map(({ name }) => name),
  ...['skill', 'agent', 'list_mcp_resources', 'read_mcp_resource'],
];
