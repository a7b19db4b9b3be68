import type { Workspaces } from './workspace.ts';

/** One folder for all, as it is. */
export function openSharedFolder(cwd: string): Workspaces {
  return {
    async open() {
      return {
        cwd,
        measure: async () => ({ kind: 'shared', path: cwd, isKept: true }),
        release: async () => ({ isKept: true }),
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}
