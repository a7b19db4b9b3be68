import { homedir } from 'node:os';
import type { Host } from '../connect/source/agent-source.ts';
import { createNodeWorkspace } from './files/node-workspace.ts';
import { listFolder, realPath } from './node-disk.ts';
import { createNodeTerminals } from './terminals/node-terminals.ts';

/** The files and processes of this machine. */
export const nodeHost: Host = {
  createWorkspace: createNodeWorkspace,
  createTerminals: createNodeTerminals,
  home: homedir(),
  realPath,
  listFolder,
  // What cmd.exe and PowerShell make of a line is not looked into; which shell an agent uses elsewhere is not known.
  ...(process.platform === 'win32' && { shell: 'other' }),
};
