import { readInner } from '../arguments/inner.ts';
import { CODE, each, LOADS, READ, switches, TEXT, WRITE } from '../arguments/option-meanings.ts';
import type { CommandProfile, Findings } from '../arguments/profile.ts';
import { bySubcommand } from './by-subcommand.ts';

const PREFIX = each('--prefix --dir -C --cwd --userconfig --globalconfig', {
  value: 'read',
  danger: 'works in another folder',
});
const OWN =
  /^(?:add|install|i|ci|update|up|upgrade|remove|rm|uninstall|un|link|ln|unlink|import|rebuild|prune|fetch|patch|audit|list|ls|ll|outdated|why|info|view|run|run-script|test|t|start|stop|restart|publish|pack|config|set|get|init|create|deploy|doctor|store|root|bin|env|cache|dedupe|version|exec|dlx|x|node|build|pm)$/;
const SCRIPT_SHELL = each('--script-shell --shell --node-options', LOADS);

/** Subcommands that run another one, or any program, in every package of a workspace. */
const RUNS_IN_ALL = ['recursive', 'multi', 'm', 'workspace', 'workspaces', 'foreach'];
const NPM_SUBCOMMANDS = new Set(
  (
    'add audit ci config create dedupe diff doctor exec explain fund get help i info init install install-ci-test install-test list ll ls ' +
    'outdated pack ping prefix prune publish query rebuild remove repo restart rm root run run-script search start stop t test un uninstall ' +
    'up update upgrade version view whoami why x'
  ).split(' '),
);

const PNPM: CommandProfile = {
  operands: 'touch',
  options: {
    ...PREFIX,
    ...SCRIPT_SHELL,
    ...each('-c --call', CODE),
    ...each('-w --workspace --filter -F --audit-level --reporter --loglevel --tag --access', TEXT),
    ...each(
      '--registry --git --editor --viewer --browser --cache --init-module --cafile --tmp --before --npm-path',
      LOADS,
    ),
    ...each('--shell-emulator --modules-folder --global-folder --use-yarnrc --global-dir --store-dir', LOADS),
    ...each('--omit --include --depth --only --production --workspace-concurrency --port --message -m', TEXT),
    ...switches(
      '-DEOPSaghirsvqLyf --save --save-dev --save-exact --save-optional --save-peer --save-prod --no-save --silent --quiet --verbose ' +
        '--ignore-scripts --dev --global --workspaces --include-workspace-root --if-present --recursive --parallel --stream ' +
        '--frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --force --legacy-peer-deps --strict-peer-deps ' +
        '--no-audit --no-fund --audit --fund --dry-run --json --all --long --parseable --foreground-scripts --package-lock ' +
        '--no-package-lock --package-lock-only --prod --immutable --check --yes --color --no-color --latest --interactive ' +
        '--aggregate-output --bail --no-bail --watch --coverage --hot --exact --run --filter-prod --fix --link',
    ),
  },
  look: bySubcommand({
    runs: ['exec', 'x', 'dlx', 'create', 'init', 'node'],
    own: OWN,
    changes: [
      ...RUNS_IN_ALL,
      'config',
      'c',
      'set',
      'link',
      'ln',
      'login',
      'adduser',
      'token',
      'owner',
      'hook',
      'explore',
      'pkg',
      'set-script',
      'edit',
      'env',
    ],
  }),
};

const NPM: CommandProfile = {
  ...PNPM,
  look: bySubcommand({
    runs: ['exec', 'x', 'create', 'init'],
    known: NPM_SUBCOMMANDS,
    changes: ['config'],
  }),
};

/** `npx tool`: the tool may be fetched from the registry, so a rule has to name it. */
function launcher(options: NonNullable<CommandProfile['options']> = {}): CommandProfile {
  return {
    lookInstead: ({ words }, context): Findings => {
      for (let index = 1; index < words.length; index += 1) {
        const word = words[index];
        const value = word?.value;
        if (word === undefined || value === undefined) return { opaque: 'takes its program from something unknown' };
        if (!value.startsWith('-'))
          return { inner: { parts: readInner(context, words.slice(index)), needs: 'both', program: [word] } };
        const meaning = options[value.split('=')[0] ?? ''];
        if (value === '--') continue;
        if (meaning === undefined || meaning.danger !== undefined)
          return { opaque: `has the option ${value}, which can change what runs` };
        if (meaning.value !== undefined && !value.includes('=')) index += 1;
      }
      return words.length === 1 ? {} : { isHarmless: words.length === 2 && words[1]?.value === '--version' };
    },
  };
}

const NPX = launcher(
  each('-y --yes -q --quiet --no --no-install --prefer-offline --offline --bun --silent --version', {}),
);

/** `uv run tool`, `poetry run tool`, `bundle exec tool`. */
function runner(runs: readonly string[], options: NonNullable<CommandProfile['options']> = {}): CommandProfile {
  return { operands: 'touch', isOpen: true, options, look: bySubcommand({ runs }) };
}

/** Tools that install things and start what is installed, with the arguments that change what they run. */
export const PACKAGE_MANAGERS: Readonly<Record<string, CommandProfile>> = {
  npm: NPM,
  pnpm: PNPM,
  yarn: PNPM,
  bun: {
    ...PNPM,
    options: { ...PNPM.options, ...each('-e -p --eval --print', CODE), ...each('-r --preload --config', LOADS) },
    look: bySubcommand({ runs: ['x', 'exec', 'create'], changes: ['link'], own: OWN }),
  },
  deno: {
    operands: 'touch',
    options: each('-A --allow-all --allow-run --allow-ffi --import-map --config -c --preload', LOADS),
    isOpen: true,
    look: bySubcommand({ changes: ['eval', 'install', 'repl', 'upgrade', 'run', 'compile'] }),
  },
  npx: NPX,
  bunx: NPX,
  pnpx: NPX,
  uvx: launcher(each('-q --quiet --version', {})),
  pipx: runner(['run']),
  uv: runner(['run', 'tool'], {
    ...each('--with --python -p --extra --group', LOADS),
    ...each(
      '--directory --project --index --index-url --default-index --extra-index-url --find-links --config-file',
      LOADS,
    ),
  }),
  poetry: runner(['run'], each('-C --directory -P --project', LOADS)),
  pipenv: runner(['run']),
  pdm: runner(['run'], each('-p --project', LOADS)),
  hatch: runner(['run']),
  rye: runner(['run']),
  conda: runner(['run']),
  bundle: runner(['exec', 'config'], each('--gemfile', LOADS)),
  mise: runner(['exec', 'x']),
  asdf: runner(['exec']),
  direnv: runner(['exec', 'allow']),
  volta: runner(['run']),
  pip: {
    operands: 'touch',
    options: {
      ...each('-r --requirement -c --constraint', READ),
      ...each('-i --index-url --extra-index-url -f --find-links --config-settings --global-option', LOADS),
      ...each('-t --target --prefix --root --log --report --src -d --dest -w --wheel-dir', WRITE),
      ...each('--python --proxy --cert --client-cert --cache-dir --use-feature --install-option --build-option', LOADS),
      ...each('-e --editable', { value: 'touch' }),
      ...each('--format --platform --only-binary --no-binary --timeout --exclude', TEXT),
      ...switches(
        '-qvUIyhlo --upgrade --user --quiet --verbose --yes --pre --no-deps --no-cache-dir --force-reinstall --outdated --uptodate ' +
          '--local --all --files --no-input --disable-pip-version-check --dry-run --no-build-isolation --break-system-packages',
      ),
    },
    look: bySubcommand({ changes: ['config'] }),
  },
  brew: runner(['sh', 'bundle']),
  gh: {
    operands: 'touch',
    options: {
      ...each(
        '-R --repo -t --title -b --body -B --base -H --head -l --label -a --assignee -L --limit -s --state -q --jq --json',
        TEXT,
      ),
      ...each('-F --body-file --template', READ),
      ...each(
        '--search --reviewer --milestone --project --author --branch --workflow --event --commit --job --name',
        TEXT,
      ),
      ...each('-w --workflow', TEXT),
      ...switches(
        '-cdfrvy --fill --draft --comments --files --log --log-failed --verbose --exit-status --squash --merge --rebase --auto ' +
          '--delete-branch --approve --comment --request-changes --name-only --patch --failed --compact --yes --closed --open',
      ),
    },
    look: bySubcommand({
      changes: ['alias', 'extension', 'config', 'auth', 'secret', 'variable', 'ssh-key', 'gpg-key', 'api', 'codespace'],
    }),
  },
};
