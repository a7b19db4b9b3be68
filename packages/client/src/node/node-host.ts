import { listFolder, realPath } from '@parley/host/files';
import { findHome } from '@parley/host/places';
import type { Host } from '../source/agent-source.ts';
import { createNodeTerminals } from './node-terminals.ts';
import { createNodeWorkspace } from './node-workspace.ts';

const home = findHome();

/** The files and processes of this machine. */
export const nodeHost: Host = {
  createWorkspace: createNodeWorkspace,
  createTerminals: createNodeTerminals,
  ...(home !== undefined && { home }),
  realPath,
  listFolder,
  // What cmd.exe and PowerShell make of a line is not looked into; which shell an agent uses elsewhere is not known.
  ...(process.platform === 'win32' && { shell: 'other' }),
};
