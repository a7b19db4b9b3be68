import { readInner } from '../inner.ts';
import { CODE, type CommandProfile, each, type Findings, LOADS, READ, TEXT, WRITE } from '../profile.ts';
import { bySubcommand } from './by-subcommand.ts';

const PREFIX = each('--prefix --dir -C --cwd --userconfig --globalconfig', {
  value: 'read',
  danger: 'works in another folder',
});
const OWN =
  /^(?:add|install|i|ci|update|up|upgrade|remove|rm|uninstall|un|link|ln|unlink|import|rebuild|prune|fetch|patch|audit|list|ls|ll|outdated|why|info|view|run|run-script|test|t|start|stop|restart|publish|pack|config|set|get|init|create|deploy|doctor|store|root|bin|env|recursive|cache|dedupe|version|workspace|workspaces|exec|dlx|x|node|build|pm)$/;
const SCRIPT_SHELL = each('--script-shell --shell --node-options', LOADS);

const NPM: CommandProfile = {
  operands: 'touch',
  options: {
    ...PREFIX,
    ...SCRIPT_SHELL,
    ...each('-c --call', CODE),
    ...each('-w --workspace --filter -F --reporter --loglevel --tag --access', TEXT),
    ...each('--registry', LOADS),
    ...each('--save --silent --ignore-scripts --cache-min --shell-emulator --dev', {}),
  },
  look: bySubcommand({
    runs: ['exec', 'x', 'dlx', 'create', 'init', 'node'],
    own: OWN,
    changes: [
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
  return { operands: 'touch', options, look: bySubcommand({ runs }) };
}

/** Tools that install things and start what is installed, with the arguments that change what they run. */
export const PACKAGE_MANAGERS: Readonly<Record<string, CommandProfile>> = {
  npm: NPM,
  pnpm: NPM,
  yarn: NPM,
  bun: {
    ...NPM,
    options: { ...NPM.options, ...each('-e -p --eval --print', CODE), ...each('-r --preload --config', LOADS) },
    look: bySubcommand({ runs: ['x', 'exec', 'create'], changes: ['link'], own: OWN }),
  },
  deno: {
    operands: 'touch',
    options: each('-A --allow-all --allow-run --allow-ffi --import-map --config -c --preload', LOADS),
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
      ...each('-t --target --prefix --root --log', WRITE),
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
    },
    look: bySubcommand({
      changes: ['alias', 'extension', 'config', 'auth', 'secret', 'variable', 'ssh-key', 'gpg-key', 'api', 'codespace'],
    }),
  },
};
