import { each, flag, LOADS, READ, RUNS, SWITCH, switches, TEXT, WRITE } from '../arguments/option-meanings.ts';
import type { CommandProfile, OptionMeaning } from '../arguments/profile.ts';

/** Options that run programs, load settings or write files, in whatever subcommand they stand, and those that are plain. */
const EVERYWHERE: Readonly<Record<string, OptionMeaning>> = {
  ...each('--upload-pack --receive-pack --exec --extcmd --open-files-in-pager --sendmail-cmd --smtp-server', RUNS),
  '--strategy': RUNS,
  ...each(
    '--config --config-env --template --separate-git-dir --git-dir --work-tree --exec-path --reference --bundle-uri',
    LOADS,
  ),
  ...each('--output --output-directory --index-output --export-marks', WRITE),
  '--ext-diff': flag('runs a program that the repository names'),
  '--unsafe-paths': flag('writes outside the repository'),
  ...each('--stdin-paths --paths-from-stdin', flag('takes the names of its files from a list')),
  ...each('--web -w --edit-todo', flag('opens another program')),
  ...each('--file --pathspec-from-file --contents --ignore-revs-file --exclude-from --import-marks', READ),
  ...each(
    '--message --author --date --grep --since --until --after --before --sort --trailer --cleanup --format --pretty',
    TEXT,
  ),
  ...each('--max-count --skip --max-depth --diff-filter --depth --origin --onto --points-at', TEXT),
  ...each('--committer --decorate-refs --decorate-refs-exclude --glob --exclude --match', TEXT),
  ...each(
    '--prefix --remote-name --strategy-option --fixup --squash --reedit-message --reuse-message --shallow-since',
    TEXT,
  ),
  ...each(
    '--jobs --expire --shell-quote --refmap --set-upstream-to --source --server-option --push-option --start',
    TEXT,
  ),
  ...each('--inter-hunk-context --word-diff-regex --ws-error-highlight --diff-algorithm --orphan -n', TEXT),
  ...switches(
    '--abbrev --branch --contains --no-contains --merged --no-merged --gpg-sign --unified --submodule --abbrev-commit --abbrev-ref --abort --absolute-git-dir --all --all-match --allow-empty --allow-empty-message --always --amend ' +
      '--ancestry-path --annotate --append --apply --author-date-order --autosquash --autostash --bare --batch --batch-check --bisect ' +
      '--bool --both --boundary --branches --break-rewrites --cached --cc --check --cherry --cherry-mark --cherry-pick --children ' +
      '--clear-decorations --color --color-moved --color-words --column --combined-all-paths --compact-summary --continue --cover-letter ' +
      '--cumulative --date-order --debug --decorate --default --delete --deleted --dense --detach --diff-merges --directory --dirstat ' +
      '--dirty --discard-changes --do-walk --dry-run --edit --email --eol --error-unmatch --exact-match --exclude-standard --exit-code ' +
      '--extended-regexp --ff --ff-only --find-copies --find-copies-harder --find-renames --first-parent --fixed-strings --follow ' +
      '--force --force-with-lease --force-if-includes --fork-point --full-diff --full-history --full-index --full-name --function-context ' +
      '--git-common-dir --graph --global --guess --heading --heads --hard --histogram --ignore-all-space --ignore-blank-lines ' +
      '--ignore-case --ignore-cr-at-eol --ignore-missing --ignore-skip-worktree-bits --ignore-space-at-eol --ignore-space-change ' +
      '--ignore-submodules --ignore-unmatch --ignored --include-untracked --incremental --indent-heuristic --index --inside --int ' +
      '--intent-to-add --interactive --invert-grep --invert-match --is-ancestor --is-bare-repository --is-inside-git-dir ' +
      '--is-inside-work-tree --is-shallow-repository --keep --keep-base --keep-index --keep-redundant-commits --killed --left-only ' +
      '--left-right --line-number --line-prefix --list --local --log --log-size --long --ls --merge --merge-base --merges --minimal ' +
      '--mixed --modified --mirror --move --copy --count --multiple --name-only --name-status --no-abbrev --no-abbrev-commit --no-all --no-autostash ' +
      '--no-checkout --no-color --no-color-moved --no-commit --no-decorate --no-diff --no-edit --no-exclude-standard --no-ext-diff --no-ff ' +
      '--no-gpg-sign --no-index --no-indent-heuristic --no-keep-index --no-merges --no-notes --no-patch --no-post-rewrite --no-prefix ' +
      '--no-prune --no-rebase --no-recurse-submodules --no-relative --no-rename-empty --no-renames --no-revs --no-show-signature ' +
      '--no-stat --no-tags --no-textconv --no-track --no-verify --no-walk --not --notes --null --numbered --numstat --object-format ' +
      '--objects --oneline --only --only-matching --ort --others --ours --parents --parseopt --patch --patch-with-raw ' +
      '--patch-with-stat --patience --perl-regexp --pickaxe-all --pickaxe-regex --pop --porcelain --preserve-merges --progress --prune ' +
      '--prune-tags --quiet --quit --raw --rebase --rebase-merges --recurse-submodules --ref --reflog --refs --regexp-ignore-case ' +
      '--relative --relative-date --remote --remotes --rename-empty --renames --renormalize --reset-author --resolve-undo --reverse ' +
      '--right-only --root --root-ref --shortstat --show-cdup --show-current --show-function --show-linear-break --show-notes ' +
      '--show-number --show-email --show-object-format --show-prefix --show-pulls --show-ref-format --show-scope --show-origin ' +
      '--show-signature --show-stash --show-superproject-working-tree --show-toplevel --shallow --short --signoff --simplify-by-decoration ' +
      '--simplify-merges --single-branch --single-worktree --skip-empty --soft --sparse --stable --stage --staged --stat --stat-count ' +
      '--stat-graph-width --stat-name-width --stat-width --stdin --stepback --summary --summary-email --suppress --symbolic ' +
      '--symbolic-full-name --tag --tags --text --textconv --theirs --threads --topo-order --track --tree --type --unmerged --unset-upstream ' +
      '--unstaged --untracked --untracked-files --update --update-refs --use-mailmap --utf8 --verbose --verify --version --walk ' +
      '--walk-reflogs --with-tree --word-diff --word-regexp --worktree --write --zero-terminated --get --get-all --get-regexp --get-urlmatch ' +
      '--show --git-path --size --batch-all-objects --buffer --filters --unordered --count-only --objects-edge --left --right --patches ' +
      '--basic-regexp --and --or --no-messages --files-with-matches --files-without-match --name --invert --break --after-context ' +
      '--before-context --context --no-optional-locks --no-replace --recursive --init --remote-submodules --deepen --unshallow --atomic ' +
      '--dissociate --filter --no-filter --rename-section --edit-description --unset --unset-all --add --replace-all --system --fixed-value ' +
      '--default-branch --initial-branch --aggressive --auto --lost-found --unreachable --connectivity-only --dangling --quick --lock --reason ' +
      '--orphan-branch --non-matching --no-empty-directory --deduplicate --sparse-index --cone --no-cone --skip-worktree --assume-unchanged',
  ),
};

/** Every single letter is a switch, unless a subcommand says otherwise: what letters mean differs between subcommands. */
const LETTERS = switches('-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0');

const LOG = { ...each('-n -S -G -L -l --lines', TEXT), '-O': READ };

/** Short options differ between subcommands. */
const BY_SUBCOMMAND: Readonly<Record<string, Readonly<Record<string, OptionMeaning>>>> = {
  add: { '--chmod': TEXT },
  commit: { ...each('-m -c -C', TEXT), ...each('-F -t', READ) },
  tag: { ...each('-m -u', TEXT), '-F': READ },
  merge: { ...each('-m -X', TEXT), '-F': READ, '-s': RUNS },
  notes: { ...each('-m -C -c', TEXT), '-F': READ },
  stash: { ...each('-m', TEXT), ...LOG },
  log: LOG,
  show: LOG,
  diff: LOG,
  'diff-tree': LOG,
  'diff-index': LOG,
  'diff-files': LOG,
  reflog: LOG,
  whatchanged: LOG,
  'rev-list': LOG,
  'range-diff': LOG,
  shortlog: { ...LOG, '-w': SWITCH, '--group': TEXT },
  status: each('-u --untracked-files', SWITCH),
  'ls-files': { ...each('-x', TEXT), ...each('-X', READ), '-o': SWITCH },
  grep: {
    ...each('-e -A -B -C -m', TEXT),
    ...each('-f', READ),
    '-O': { danger: 'runs another program' },
    '-w': SWITCH,
  },
  clone: { ...each('-u -c', RUNS), ...each('-b -o -j --branch', TEXT) },
  fetch: each('-j -o', TEXT),
  push: { '-o': TEXT, '--repo': LOADS },
  branch: each('-u', TEXT),
  checkout: each('-b -B', TEXT),
  switch: each('-c -C', TEXT),
  restore: each('-s', TEXT),
  rebase: {
    ...each('-x -s', RUNS),
    ...each('-X', TEXT),
    ...each('-i --interactive', flag('opens an editor whose commands it runs')),
  },
  'cherry-pick': { ...each('-X -m', TEXT), '--strategy': RUNS },
  revert: { ...each('-X -m', TEXT), '--strategy': RUNS },
  'format-patch': { ...each('-o', WRITE), ...each('-v', TEXT), '--signature-file': READ },
  archive: { ...each('-o', WRITE), ...each('--remote', RUNS), '--add-file': READ, '--add-virtual-file': TEXT },
  blame: { ...each('-L', TEXT), '-S': READ, '-w': SWITCH },
  annotate: { ...each('-L', TEXT), '-S': READ, '-w': SWITCH },
  pull: { ...each('-X -j', TEXT), ...each('-s', RUNS) },
  init: { '-b': TEXT },
  worktree: each('-b -B', TEXT),
  submodule: { ...each('-b', TEXT), '--reference': LOADS },
  'hash-object': { '-t': TEXT, '-w': SWITCH, '--path': TEXT },
  'cat-file': { '--path': TEXT, '--textconv': SWITCH },
  'update-index': { '--cacheinfo': TEXT, '--index-info': flag('takes the names of its files from a list') },
  config: { '-f': READ, '--blob': TEXT, '-w': SWITCH, '-e': flag('opens another program'), '--type': SWITCH },
  help: { '-w': flag('opens another program') },
  'check-attr': { '-w': SWITCH },
  'merge-file': each('-L', TEXT),
  bundle: { '-w': SWITCH },
  mailinfo: { '--encoding': TEXT },
  'show-branch': { '-g': SWITCH },
  describe: { '-w': SWITCH },
};

const profiles = new Map<string, CommandProfile>();

/** One profile for each subcommand that has something of its own, and one for each role of operands. */
export function gitProfile(name: string): CommandProfile {
  const own = Object.hasOwn(BY_SUBCOMMAND, name) ? BY_SUBCOMMAND[name] : undefined;
  const operands = operandRole(name);
  const key = own ? name : `*${operands}`;
  const profile = profiles.get(key) ?? { operands, options: { ...EVERYWHERE, ...LETTERS, ...own } };
  profiles.set(key, profile);
  return profile;
}

function operandRole(name: string): 'touch' | 'text' | 'read' | 'write' {
  if (name === 'mailinfo' || name === 'interpret-trailers') return 'write';
  if (CHANGES_FILES.test(name)) return 'touch';
  return name === 'clean' ? 'text' : 'read';
}

/** Subcommands whose operands are files that they change. */
const CHANGES_FILES = /^(?:mv|rm|clone|init|worktree|merge-file|bundle|checkout|restore|reset|stash|update-index)$/;
