import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FolderEntry } from '../src/index.ts';

/** Stands in every file that no allowed line may print, and in the environment. */
export const SECRET = 'TOP-SECRET-TEXT';
/** A file that is made where something ran that nobody allowed. */
export const MARKER = 'RAN';

const TOUCH = `touch ${MARKER}`;
const FILES: Readonly<Record<string, string>> = {
  'secret.txt': SECRET,
  'home/.ssh/id_rsa': SECRET,
  'outside/secret.txt': SECRET,
  'ws/ok.txt': 'hello\nfoo bar\n1 2 3\n',
  'ws/a.json': '{"name":"x","list":[1,2]}\n',
  'ws/src/a.ts': 'export const a = 1;\n',
  'ws/src/same.txt': 'same\n',
  'ws/other/up': 'x\n',
  'ws/clean/a.txt': 'a\n',
  'ws/up': 'x\n',
  'ws/run.sh': `#!/bin/sh\n${TOUCH}\n`,
  'ws/words/file': '1 ../secret.txt',
  'ws/words/output': `1 --output=${MARKER}`,
  'ws/words/exec': `x -exec ${TOUCH} ;`,
  'ws/words/command': `5 ${TOUCH}`,
  'ws/words/option': '-R',
  'ws/words/script': `1e ${TOUCH}`,
  'ws/dash/-R': '',
  'ws/dash/-delete': '',
  'ws/dash/-a': '',
  'ws/dash/x': 'TOP\n',
  'ws/nested/HEAD': 'ref: refs/heads/main\n',
  'ws/nested/config': `[core]\n\trepositoryformatversion = 0\n\tworktree = tree\n\tfsmonitor = "touch ../${MARKER} ../../${MARKER}; false"\n`,
  'ws/nested/tree/x': '',
  'ws/nested/objects/x': '',
  'ws/nested/refs/x': '',
};
const LINKS: Readonly<Record<string, string>> = {
  'ws/keylink': '../secret.txt',
  'ws/outdir': '..',
  'ws/gitlink': '.git',
  'ws/src/up': '../../secret.txt',
  'ws/dash/out': '../..',
  'ws/deep/er/link': '../outside',
};

/** A folder with a workspace that somebody prepared: links that lead out, odd names, a repository in the repository. */
export interface PreparedFolder extends Disposable {
  readonly workspace: string;
  readonly home: string;
  /** Runs a line there, and returns what it did that no reading command does. Puts everything back. */
  run(shell: string, line: string, mode: 'default' | 'acceptEdits'): readonly string[];
  realPath(path: string): string;
  listFolder(path: string, limit: number): readonly FolderEntry[] | undefined;
}

export function createPreparedFolder(): PreparedFolder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-effects-')));
  const [template, root] = [join(base, 'template'), join(base, 'root')];
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(template, name)), { recursive: true });
    writeFileSync(join(template, name), text);
  }
  for (const [name, target] of Object.entries(LINKS)) {
    mkdirSync(dirname(join(template, name)), { recursive: true });
    symlinkSync(target, join(template, name));
  }
  chmodSync(join(template, 'ws/run.sh'), 0o755);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q', '--template='],
    ['add', 'ok.txt'],
    [...identity, 'commit', '-qm', 'first'],
  ])
    spawnSync('git', args, { cwd: join(template, 'ws') });
  mkdirSync(join(template, 'ws/.git/hooks'));
  const reset = (): void => {
    rmSync(root, { recursive: true, force: true });
    cpSync(template, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  };
  reset();
  let before = listTree(root);
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    LC_ALL: 'C',
    PREPARED: SECRET,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return {
    workspace: join(root, 'ws'),
    home: join(root, 'home'),
    run(shell, line, mode) {
      const [program = '', ...args] = shell.split(' ');
      const cwd = join(root, 'ws');
      const done = spawnSync(program, [...args, '-c', line], { cwd, env, input: '', timeout: 5000, encoding: 'utf8' });
      const after = listTree(root);
      const changes = [...new Set([...before.keys(), ...after.keys()])].filter(
        (path) => before.get(path) !== after.get(path),
      );
      if (changes.length > 0) {
        reset();
        before = listTree(root);
      }
      const names = changes.map((path) => path.slice(root.length + 1));
      const isPrinted = `${done.stdout}${done.stderr}`.includes(SECRET);
      return [
        ...names.filter((name) => mode === 'default' || !MAY_CHANGE.test(name)),
        ...(isPrinted ? ['the secret'] : []),
      ];
    },
    realPath,
    listFolder,
    [Symbol.dispose]() {
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** With `acceptEdits`, files of the workspace that are not protected. */
const MAY_CHANGE = new RegExp(`^ws/(?!.*(?:\\.git/|\\.mcp\\.json|HEAD$|${MARKER}))`);

/** Every file with its size, time and mode; git refreshes its index by itself. */
function listTree(folder: string, found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path.endsWith('/.git/index')) continue;
    const { size, mtimeMs, mode } = lstatSync(path);
    if (entry.isDirectory()) listTree(path, found.set(path, 'folder'));
    else found.set(path, entry.isSymbolicLink() ? readlinkSync(path) : `${size} ${Math.floor(mtimeMs)} ${mode}`);
  }
  return found;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}

function listFolder(path: string, limit: number): readonly FolderEntry[] | undefined {
  try {
    const entries = readdirSync(path, { withFileTypes: true }).slice(0, limit);
    return entries.map((entry) => {
      const type = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
      return { name: entry.name, type };
    });
  } catch {
    return undefined;
  }
}
