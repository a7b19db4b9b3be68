import { readInner } from '../inner.ts';
import {
  CODE,
  type CommandProfile,
  danger,
  each,
  type Findings,
  LOADS,
  type Look,
  READ,
  TARGET,
  TEXT,
  WRITE,
} from '../profile.ts';
import type { ShellWord } from '../word.ts';

/** Subcommands that run whatever program follows, and those that change what later runs. */
interface Subcommands {
  /** `npm exec tsc`: the next operand is a program. */
  readonly runs?: readonly string[];
  /** Its own subcommands, where any other word may be a program: `pnpm curl` runs curl. */
  readonly own?: RegExp;
  /** `npm config set`: changes settings or installs for later. */
  readonly changes?: readonly string[];
}

function bySubcommand({ runs = [], changes = [], own }: Subcommands): Look {
  return ({ words, operands }, context): Findings => {
    const [subcommand, program] = operands;
    const name = subcommand?.value;
    const leading = words[1];
    if (subcommand !== undefined && leading?.value?.startsWith('-') && !LEADING_OPTION.test(leading.value)) {
      return { dangers: [danger('may take the next word, so that the subcommand is another', leading)] };
    }
    if (subcommand === undefined) return {};
    if (name === undefined) return { opaque: 'takes its subcommand from something unknown' };
    if (changes.includes(name)) return { dangers: [danger('changes settings or what runs later', subcommand)] };
    if (own && !own.test(name) && context.reader.isProgram(name)) {
      return {
        inner: {
          parts: readInner(context, words.slice(words.indexOf(subcommand))),
          needs: 'both',
          program: [subcommand],
        },
      };
    }
    if (!runs.includes(name)) return {};
    if (program === undefined) return { opaque: 'starts a shell' };
    const inner = words.slice(words.indexOf(program));
    return { inner: { parts: readInner(context, inner), needs: 'both', program: [program] } };
  };
}

/** Options that may stand before a subcommand and take no value. */
const LEADING_OPTION = /^(?:-s|-q|-v|-h|-y|--silent|--quiet|--verbose|--version|--help|--yes|--offline|--no-color)$/;

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

/** `make target`: variables on the line can replace the programs it runs. */
const lookIntoMake: Look = ({ operands }) => ({
  dangers: operands
    .filter((word: ShellWord) => word.value === undefined || word.value.includes('='))
    .map((word) => danger('sets a variable of the makefile', word)),
});

const MAKE: CommandProfile = {
  operands: 'text',
  options: {
    ...each('-f --file --makefile -C --directory -I --include-dir --eval -E', LOADS),
    ...each('-o -W', TEXT),
  },
  look: lookIntoMake,
};

/** Tools that build, install and start things, with the arguments that change what they run. */
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
  turbo: { operands: 'text' },
  pip: {
    operands: 'touch',
    options: {
      ...each('-r --requirement -c --constraint', READ),
      ...each('-i --index-url --extra-index-url -f --find-links --config-settings --global-option', LOADS),
      ...each('-t --target --prefix --root --log', WRITE),
    },
    look: bySubcommand({ changes: ['config'] }),
  },
  make: MAKE,
  gmake: MAKE,
  just: {
    operands: 'text',
    options: each('-f --justfile -d --working-directory --shell --set --command -c', LOADS),
    look: lookIntoMake,
  },
  task: { operands: 'text', options: each('-t --taskfile -d --dir', LOADS), look: lookIntoMake },
  cargo: {
    operands: 'touch',
    options: {
      ...each('--config --manifest-path -C -Z', LOADS),
      ...each('--target-dir --artifact-dir --out-dir', TARGET),
      ...each(
        '-p --package --features -F --bin --test --example --bench -j --jobs --profile --target --exclude --message-format --color',
        TEXT,
      ),
    },
    look: ({ operands }) => {
      const [subcommand] = operands;
      const isKnown =
        /^(?:build|b|check|c|clippy|test|t|bench|fmt|doc|d|clean|tree|metadata|update|search|add|remove|rm|fetch|vendor|verify-project|version|locate-project|pkgid|generate-lockfile|fix|run|r|nextest|new|init|package)$/.test(
          subcommand?.value ?? '',
        );
      return {
        dangers:
          subcommand && !isKnown
            ? [danger('is not a cargo command that is known to run nothing else', subcommand)]
            : [],
      };
    },
  },
  go: {
    operands: 'touch',
    style: 'words',
    options: {
      ...each('-exec -toolexec -vettool -overlay -modfile -C -compiler -gccgoflags -ldflags -gcflags', LOADS),
      ...each('-o -coverprofile -cpuprofile -memprofile -trace -outputdir -pkgdir', TARGET),
      ...each('-run -bench -count -timeout -tags -p -parallel -cover -mod -cpu -f -covermode -skip', TEXT),
    },
    look: ({ words, operands }) => {
      const [subcommand, next] = operands;
      const name = subcommand?.value ?? '';
      const isKnown =
        /^(?:build|vet|test|fmt|list|mod|doc|version|clean|install|get|work|telemetry|help|fix)$/.test(name) ||
        (name === 'env' && !words.some((word) => /^--?[wu]$/.test(word.value ?? '-w'))) ||
        (name === 'run' && !/@|^[a-z]+\.[a-z]/.test(next?.value ?? '@'));
      return {
        dangers: subcommand && !isKnown ? [danger('can run other programs', subcommand, ...(next ? [next] : []))] : [],
      };
    },
  },
  gcc: { operands: 'touch', options: { ...each('-o', TARGET), ...each('-B -wrapper -specs -T', LOADS) } },
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
  rails: { operands: 'touch', look: bySubcommand({ changes: ['runner', 'r', 'console', 'c', 'dbconsole', 'db'] }) },
  mix: { operands: 'touch', options: each('-e --eval -r --require', CODE), look: bySubcommand({ changes: ['eval'] }) },
  cmake: {
    operands: 'touch',
    options: { ...each('-P -E -C', LOADS), ...each('-S -B --build --install', { value: 'touch' }) },
  },
  mvn: {
    operands: 'touch',
    options: each('-f --file -s --settings -gs -t', LOADS),
    look: ({ words }) => ({
      dangers: words
        .filter((word) => /exec|-D.*(?:jvm|argLine)/.test(word.value ?? 'exec'))
        .map((word) => danger('can run other programs', word)),
    }),
  },
  tsc: {
    operands: 'touch',
    style: 'words',
    options: {
      ...each('-p -project', READ),
      ...each('-outDir -outFile -declarationDir -tsBuildInfoFile', TARGET),
      ...each('-generateTrace -generateCpuProfile', WRITE),
    },
  },
  eslint: {
    operands: 'touch',
    options: {
      ...each('-c --config --rulesdir --plugin --parser --resolve-plugins-relative-to -f --format', LOADS),
      ...each('-o --output-file --cache-location', TARGET),
      ...each('--ext --max-warnings --ignore-pattern --rule', TEXT),
      ...each('--fix --fix-type --color', {}),
    },
  },
  prettier: {
    operands: 'touch',
    options: {
      ...each('--config --plugin --find-config-path', LOADS),
      ...each('--ignore-path', READ),
      ...each('--parser --log-level', TEXT),
    },
  },
  pytest: {
    operands: 'touch',
    options: {
      ...each('-c --config-file --rootdir -p --confcutdir -o --override-ini --import-mode --basetemp --pdbcls', LOADS),
      ...each('--junitxml --junit-xml --log-file', TARGET),
      ...each('-k -m -n --maxfail --tb --durations --color --cov-report -W', TEXT),
      ...each('--collect-only --cov-fail-under', {}),
    },
  },
};
