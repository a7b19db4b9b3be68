import { CODE, type CommandProfile, danger, each, LOADS, type Look, READ, TARGET, TEXT, WRITE } from '../profile.ts';
import type { ShellWord } from '../word.ts';
import { bySubcommand } from './by-subcommand.ts';

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

/** Tools that build, check and test a project, with the arguments that change what they run. */
export const BUILD_TOOLS: Readonly<Record<string, CommandProfile>> = {
  turbo: { operands: 'text' },
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
