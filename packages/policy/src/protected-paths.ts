import { foldGlob, GLOBSTAR, type Glob, overlaps, textGlob } from './pattern/glob.ts';
import { wideSpellings } from './pattern/path-pattern.ts';
import type { Target } from './target.ts';

/**
 * Files that hold the leash: what runs on the next commit, in the next shell or the next time an editor or an agent starts.
 * An entry is one or more names in a row, anywhere in a path; everything below it is protected too.
 */
export const PROTECTED_PATHS: readonly string[] = [
  // version control: hooks, configuration, and the HEAD file that turns any folder into a repository
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'HEAD',
  '.gitmodules',
  '.gitconfig',
  '.config/git',
  '.githooks',
  '.husky',
  '.lefthook',
  'lefthook.yml',
  'lefthook-local.yml',
  '.pre-commit-config.yaml',
  // editors
  '.vscode',
  '.vscode-server',
  '.cursor',
  '.cursorrules',
  '.windsurf',
  '.windsurfrules',
  '.idea',
  '.zed',
  '.fleet',
  '.nvim.lua',
  '.nvimrc',
  '.exrc',
  '.vimrc',
  '.vim',
  '.config/nvim',
  '.emacs',
  '.emacs.d',
  '.dir-locals.el',
  '.devcontainer',
  '.devcontainer.json',
  // agents
  '.mcp.json',
  'mcp.json',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.qwen',
  '.kimi',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.aider.conf.yml',
  '.continue',
  '.roo',
  '.roomodes',
  '.cline',
  '.clinerules',
  '.goose',
  '.config/goose',
  '.amp',
  '.kiro',
  '.copilot',
  '.crush',
  'crush.json',
  '.acpx',
  '.acpxrc.json',
  // Parley
  '.parley',
  'parley.json',
  'parley.config.json',
  'parley.config.js',
  'parley.config.ts',
  '.config/parley',
  // shells
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.zsh_history',
  '.bash_history',
  '.kshrc',
  '.mkshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.inputrc',
  '.config/fish',
  '.envrc',
  '.direnvrc',
  '.config/direnv',
  '.xprofile',
  '.xinitrc',
  '.xsessionrc',
  // tools that run what their configuration names
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.yarn/releases',
  '.yarn/plugins',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.cargo/config',
  '.cargo/config.toml',
  '.mise.toml',
  'mise.toml',
  '.config/mise',
  '.screenrc',
  '.tmux.conf',
  '.wgetrc',
  '.curlrc',
  '.gdbinit',
  '.lldbinit',
  '.pdbrc',
  '.psqlrc',
  '.sqliterc',
  '.irbrc',
  '.pryrc',
  '.Rprofile',
  '.pythonrc',
  'sitecustomize.py',
  'usercustomize.py',
  // keys and what starts by itself
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.kube',
  '.docker',
  '.netrc',
  '.pypirc',
  '.config/gh',
  '.config/systemd',
  '.config/autostart',
  'Library/LaunchAgents',
  'Library/LaunchDaemons',
];

/** Finds protected names in paths. Built once for a policy. */
export interface ProtectedPaths {
  /** The entry that a target falls under, if it falls under one. */
  find(target: Target): string | undefined;
}

export function createProtectedPaths(more: readonly string[] = []): ProtectedPaths {
  const entries = [...PROTECTED_PATHS, ...more].map((text) => ({ text, names: text.toLowerCase().split('/') }));
  const byFirst = new Map<string, { text: string; names: string[] }[]>();
  for (const entry of entries) byFirst.set(entry.names[0] ?? '', [...(byFirst.get(entry.names[0] ?? '') ?? []), entry]);

  const findInPath = (path: string): string | undefined => {
    for (const spelling of wideSpellings(path)) {
      const names = spelling.split('/');
      for (const [index, name] of names.entries()) {
        const found = byFirst
          .get(SHORT_NAMES[name] ?? name)
          ?.find((entry) => entry.names.every((part, offset) => offset === 0 || names[index + offset] === part));
        if (found && (found.text !== 'HEAD' || index === names.length - 1)) return found.text;
      }
    }
    return undefined;
  };
  const findInGlob = (glob: Glob): string | undefined => {
    const folded = foldGlob(glob);
    return entries.find((entry) => {
      const named = [SLASH, ...textGlob(entry.names.join('/'))];
      return overlaps(folded, [GLOBSTAR, ...named]) || overlaps(folded, [GLOBSTAR, ...named, SLASH, GLOBSTAR]);
    })?.text;
  };
  return {
    find(target) {
      for (const path of target.paths) {
        const found = findInPath(path);
        if (found !== undefined) return found;
      }
      for (const glob of target.globs) {
        const found = findInGlob(glob);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

const SLASH = 47;
/** Under NTFS `.git` also answers to its short name. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 'git~1': '.git' };
