import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Host } from '../agent-source.ts';
import { createNodeWorkspace } from './files/node-workspace.ts';
import { createNodeTerminals } from './terminals/node-terminals.ts';

/** The files and processes of this machine. */
export const nodeHost: Host = {
  createWorkspace: createNodeWorkspace,
  createTerminals: createNodeTerminals,
  home: homedir(),
  realPath(path) {
    for (let existing = path; ; existing = dirname(existing)) {
      try {
        return join(realpathSync(existing), relative(existing, path));
      } catch {
        if (existing === dirname(existing)) return path;
      }
    }
  },
};
