import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file in the workspace that the prompt for a tool call is about. */
export const NOTES_FILE = 'notes.txt';

/** Folders of one run, far from the person's own files. */
export interface Workspace extends AsyncDisposable {
  /** The `cwd` of sessions. */
  readonly cwd: string;
  /** Another folder, with no session in it. */
  readonly otherCwd: string;
  /** Where helpers of the checker keep their files; no session looks here. */
  readonly helperDir: string;
}

export async function createWorkspace(): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-check-')));
  const workspace: Workspace = {
    cwd: join(root, 'work'),
    otherCwd: join(root, 'other'),
    helperDir: join(root, 'helpers'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  for (const folder of [workspace.cwd, workspace.otherCwd, workspace.helperDir]) await mkdir(folder);
  // A small project, since agents for code look for one.
  const manifest = { name: 'parley-check-workspace', private: true, scripts: { test: 'node --version' } };
  await writeFile(join(workspace.cwd, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(workspace.cwd, NOTES_FILE), 'quince jam keeps for a year\nif the jars are clean\n');
  return workspace;
}
