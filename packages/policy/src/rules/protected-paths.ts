import { foldGlob, type Glob, NO_DOT, overlaps, textGlob } from '../glob.ts';
import { wideSpellings } from '../pattern/path-pattern.ts';
import { groupBy } from './group-by.ts';
import type { Target } from './target.ts';

/**
 * Files that hold the leash: what runs on the next commit, in the next shell or the next time an editor or an agent starts.
 * An entry is one or more names in a row, anywhere in a path; everything below it is protected too.
 */
const FAMILIES = {
  /** `HEAD` is what turns any folder into a repository with settings of its own. */
  versionControl:
    '.git .hg .svn .jj HEAD .gitmodules .gitconfig .config/git .githooks .husky .lefthook lefthook.yml lefthook-local.yml ' +
    '.pre-commit-config.yaml',
  editors:
    '.vscode .vscode-server .cursor .cursorrules .windsurf .windsurfrules .idea .zed .fleet .nvim.lua .nvimrc .exrc .vimrc ' +
    '.vim .config/nvim .emacs .emacs.d .dir-locals.el .devcontainer .devcontainer.json',
  agents:
    '.mcp.json mcp.json .claude .claude.json .codex .gemini .qwen .kimi .opencode opencode.json opencode.jsonc .aider.conf.yml ' +
    '.continue .roo .roomodes .cline .clinerules .goose .config/goose .amp .kiro .copilot .crush crush.json .acpx .acpxrc.json',
  parley: '.parleyrc.json .parley parley.json .config/parley .local/state/parley .cache/parley',
  shells:
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_history .profile .zshrc .zshenv .zprofile .zlogin ' +
    '.zlogout .zsh_history .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .config/fish .envrc .direnvrc .config/direnv ' +
    '.xprofile .xinitrc .xsessionrc .config/environment.d .pam_environment',
  toolsThatRunTheirConfiguration:
    '.npmrc .yarnrc .yarnrc.yml .yarn/releases .yarn/plugins .pnpmfile.cjs .pnpmfile.mjs .cargo/config .cargo/config.toml ' +
    '.mise.toml mise.toml .config/mise .screenrc .tmux.conf .wgetrc .curlrc .gdbinit .lldbinit .pdbrc .psqlrc .sqliterc ' +
    '.irbrc .pryrc .Rprofile .pythonrc sitecustomize.py usercustomize.py',
  /** Folders on the `PATH` of many people, and files that version managers and build tools run. */
  programs:
    '.local/bin .cargo/bin .bun/bin .deno/bin .nvm .pyenv .rbenv .asdf .volta .gradle/init.gradle .gradle/init.gradle.kts ' +
    '.gradle/init.d .m2/settings.xml .hgrc .jq',
  /** Projects have a `.docker` of their own, which holds no login. */
  containers: '.docker',
};

/** Files that hold logins, and files that start programs: reading one asks as well. */
const ASKED_TO_READ = {
  keysAndAutostart:
    '.ssh .gnupg .aws .azure .config/gcloud .kube .docker/config.json .netrc .pypirc .config/gh .config/systemd ' +
    '.config/autostart Library/LaunchAgents Library/LaunchDaemons',
  parley: '.config/parley',
  passwords:
    '.git-credentials .config/git/credentials .pgpass .my.cnf .s3cfg .boto .vault-token .password-store .cargo/credentials ' +
    '.cargo/credentials.toml .gem/credentials .terraform.d .config/rclone .config/hub .config/op .config/doctl ' +
    '.local/share/keyrings Library/Keychains',
  browsers: '.mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge',
  agents:
    '.claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json ' +
    '.config/github-copilot .local/share/opencode/auth.json',
};

const namesIn = (families: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(families).flatMap((names) => names.split(' '));

/** The names that are always asked about before they are read. */
export const CREDENTIAL_PATHS: readonly string[] = namesIn(ASKED_TO_READ);

/** The names that are always asked about before they are changed. */
export const PROTECTED_PATHS: readonly string[] = [...new Set([...namesIn(FAMILIES), ...CREDENTIAL_PATHS])];

/** Finds protected names in paths. Built once for a policy. */
export interface ProtectedPaths {
  /** The entry that a target falls under, if it falls under one. */
  find(target: Target): string | undefined;
  /** The same for the entries that may not be read without a question. */
  findCredential(target: Target): string | undefined;
  /** The credential that may lie below a folder, such as `.config/parley` below `.config`. */
  findCredentialBelow(folder: string): string | undefined;
}

interface Entry {
  readonly text: string;
  readonly names: readonly string[];
  readonly firstName: Glob;
}

/**
 * Prepares PROTECTED_PATHS and `more`. The folders above a root do not count for what is in it, so that a workspace under
 * `.claude/worktrees` can be worked in; its own name does.
 */
export function createProtectedPaths(roots: readonly string[], more: readonly string[] = []): ProtectedPaths {
  const credentials = CREDENTIAL_PATHS.map(readEntry);
  return {
    find: createFinder([...PROTECTED_PATHS, ...more].map(readEntry), roots),
    findCredential: createFinder(credentials, roots),
    findCredentialBelow(folder) {
      const path = `${folder.toLowerCase()}/`;
      return credentials.find(({ names }) =>
        names.some((_, index) => index > 0 && path.endsWith(`/${names.slice(0, index).join('/')}/`)),
      )?.text;
    },
  };
}

function createFinder(entries: readonly Entry[], roots: readonly string[]): ProtectedPaths['find'] {
  const byFirst = groupBy(entries, (entry) => entry.names[0] ?? '');
  const parents = roots.map((root) => root.slice(0, root.lastIndexOf('/') + 1)).sort((a, b) => b.length - a.length);

  const findInPath = (path: string): string | undefined => {
    const parent = parents.find((folder) => folder !== '' && path.startsWith(folder)) ?? '';
    for (const spelling of wideSpellings(path.slice(parent.length))) {
      const names = spelling.split('/');
      for (let index = 0; index < names.length; index += 1) {
        const found = byFirst
          .get(SHORT_NAMES.get(names[index] ?? '') ?? names[index] ?? '')
          ?.find((entry) => entry.names.every((name, offset) => offset === 0 || names[index + offset] === name));
        if (found && (found.text !== 'HEAD' || index === names.length - 1)) return found.text;
      }
    }
    return undefined;
  };
  /** Names without wildcards are looked up; one with a wildcard is compared with the first name of each entry. */
  const findInGlob = (glob: Glob): string | undefined => {
    const start = glob.findIndex((token) => token < 0);
    const slash = glob.lastIndexOf(SLASH, start);
    const found = findInPath(String.fromCharCode(...glob.slice(0, slash)));
    if (found !== undefined) return found;
    const names = splitGlob(foldGlob(glob.slice(slash + 1)));
    return entries.find((entry) => names.some((name) => couldBe(name, entry.firstName)))?.text;
  };
  return (target) => {
    for (const path of target.hits ? [...target.paths, ...target.hits] : target.paths) {
      const found = findInPath(path);
      if (found !== undefined) return found;
    }
    for (const glob of target.globs) {
      const found = findInGlob(glob);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function readEntry(text: string): Entry {
  const names = text.toLowerCase().split('/');
  return { text, names, firstName: textGlob(names[0] ?? '') };
}

function splitGlob(glob: Glob): readonly Glob[] {
  const slash = glob.indexOf(SLASH);
  return slash < 0 ? [glob] : [glob.slice(0, slash), ...splitGlob(glob.slice(slash + 1))];
}

/** Compares first characters before anything else: most globs cannot start with a dot, most entries do. */
function couldBe(name: Glob, entry: Glob): boolean {
  // A lone `*` does not mean any of the few names without a dot; those would have been protected when they came.
  if (name.length === 2 && name[0] === NO_DOT) return false;
  const [first, wanted] = [name[0], entry[0]];
  if (first !== undefined && first >= 0 && first !== wanted) return false;
  if (first === NO_DOT && wanted === DOT) return false;
  return overlaps(name, entry);
}

const SLASH = 47;
const DOT = 46;
/** Under NTFS `.git` also answers to its short name. */
const SHORT_NAMES = new Map([['git~1', '.git']]);
