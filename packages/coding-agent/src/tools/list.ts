import { askUser } from './ask-user.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { exitPlanMode } from './exit-plan-mode.ts';
import { fetchUrl } from './fetch-url.ts';
import { listFiles } from './list-files.ts';
import { moveFile } from './move-file.ts';
import { readFile } from './read-file.ts';
import { runCommand } from './run-command.ts';
import { createSandboxTool } from './sandboxed.ts';
import { searchFiles } from './search-files.ts';
import { think } from './think.ts';
import type { Tool } from './tool.ts';
import { updatePlan } from './update-plan.ts';
import { writeFile } from './write-file.ts';

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
].map((tool) => tool as Tool);

/** Every tool of the agent, in the order in which the model reads them. */
export const TOOLS: readonly Tool[] = [
  ...LOCAL,
  ...[fetchUrl, updatePlan, think, askUser, exitPlanMode].map((tool) => tool as Tool),
];

/** What takes the place of the local tools in the preset `sandbox`. */
export const SANDBOX_TOOLS: readonly Tool[] = LOCAL.map(createSandboxTool);
