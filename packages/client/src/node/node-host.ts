import type { Host } from '../agent-source.ts';
import { createNodeWorkspace } from './files/node-workspace.ts';
import { createNodeTerminals } from './terminals/node-terminals.ts';

/** The files and processes of this machine. */
export const nodeHost: Host = {
  createWorkspace: createNodeWorkspace,
  createTerminals: createNodeTerminals,
};
