import { danger } from '../arguments/dangers.ts';
import {
  CODE,
  each,
  LOADS,
  READ,
  READS_SETTINGS,
  switches,
  TARGET,
  TEXT,
  WRITE,
  words,
} from '../arguments/option-meanings.ts';
import type { CommandProfile, Look } from '../arguments/profile.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { bySubcommand } from './by-subcommand.ts';
import { COMPILERS } from './compilers.ts';

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
    ...each('-o -W -j -l --jobs --load-average --output-sync --old-file --what-if', TEXT),
    ...switches(
      '-bBdhikmnpqrRsStvw --always-make --debug --keep-going --dry-run --just-print --silent --quiet --question --no-print-directory ' +
        '--print-directory --trace --touch --warn-undefined-variables --no-builtin-rules --no-builtin-variables --print-data-base',
    ),
  },
  look: lookIntoMake,
};

/** Tools that build, check and test a project, with the arguments that change what they run. */
export const BUILD_TOOLS: Readonly<Record<string, CommandProfile>> = {
  turbo: { operands: 'text', isOpen: true },
  make: MAKE,
  gmake: MAKE,
  just: {
    operands: 'text',
    isOpen: true,
    options: each('-f --justfile -d --working-directory --shell --shell-arg --set --command -c --dotenv-path', LOADS),
    look: lookIntoMake,
  },
  task: { operands: 'text', isOpen: true, options: each('-t --taskfile -d --dir', LOADS), look: lookIntoMake },
  cargo: {
    operands: 'touch',
    options: {
      ...each('--config --manifest-path -C -Z', LOADS),
      ...each('--target-dir --artifact-dir --out-dir', TARGET),
      ...each(
        '-p --package --features -F --bin --test --example --bench -j --jobs --profile --target --exclude --message-format --color',
        TEXT,
      ),
      ...each(
        '--lockfile-path --index --registry --git --path --branch --tag --rev --rename --edition --name --vcs',
        LOADS,
      ),
      ...each('--depth -e --edges -i --invert --prune --format --charset --format-version --precise', TEXT),
      ...switches(
        '-hqrvnd --release --workspace --all --all-targets --all-features --no-default-features --lib --bins --tests --examples --benches ' +
          '--no-run --no-fail-fast --locked --offline --frozen --verbose --quiet --keep-going --fix --allow-dirty --allow-staged ' +
          '--allow-no-vcs --check --open --no-deps --doc --dry-run --dev --build --duplicates --future-incompat-report --list',
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
      ...each('-asmflags -fullpath -args -test.testlogfile', LOADS),
      ...words(
        '-v -race -short -json -benchmem -failfast -a -n -x -i -u -t -d -e -m -s -w -l -vet -work -trimpath -buildvcs -modcacherw -all ' +
          '-versions -deps -find -test -export -compiled -retracted -c -cache -testcache -modcache -fuzzcache -src -h -mod -cover',
      ),
      ...each(
        '-fuzz -fuzztime -benchtime -shuffle -coverpkg -list -json -vet -buildmode -go -require -droprequire',
        TEXT,
      ),
      ...each('-blockprofile -mutexprofile -fuzzminimizetime', TARGET),
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
  ...COMPILERS,
  rails: {
    operands: 'touch',
    isOpen: true,
    look: bySubcommand({ changes: ['runner', 'r', 'console', 'c', 'dbconsole', 'db'] }),
  },
  mix: {
    operands: 'touch',
    isOpen: true,
    options: each('-e --eval -r --require', CODE),
    look: bySubcommand({ changes: ['eval'] }),
  },
  cmake: {
    operands: 'touch',
    options: {
      ...each('-P -E -C -D --toolchain -T --preset --graphviz --open --fresh --trace-redirect --debugger-pipe', LOADS),
      ...each('-S -B --build --install', { value: 'touch' }),
      ...each('-G -A -j --parallel --target -t --config --component', TEXT),
      ...switches('-LANUWhv --verbose --clean-first --warn-uninitialized --log-level'),
    },
    look: ({ words: all }) => ({
      dangers: all
        .filter((word) => word.value?.startsWith('-D'))
        .map((word) => danger('sets a variable of the build', word)),
    }),
  },
  mvn: {
    operands: 'touch',
    isOpen: true,
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
      ...each(
        '-target -module -moduleResolution -lib -jsx -types -typeRoots -rootDir -baseUrl -locale -moduleDetection',
        TEXT,
      ),
      ...each('-maxNodeModuleJsDepth -newLine -outFile', TEXT),
      ...words(
        '-b -build -w -watch -noEmit -strict -pretty -incremental -skipLibCheck -listFiles -listFilesOnly -listEmittedFiles -showConfig ' +
          '-v -version -h -help -all -noEmitOnError -declaration -d -emitDeclarationOnly -sourceMap -allowJs -checkJs -force -f -dry ' +
          '-verbose -clean -diagnostics -extendedDiagnostics -esModuleInterop -resolveJsonModule -noUnusedLocals ' +
          '-noUnusedParameters -noImplicitAny -strictNullChecks -isolatedModules -traceResolution -explainFiles -composite ' +
          '-preserveWatchOutput -allowImportingTsExtensions -erasableSyntaxOnly -noCheck -stopBuildOnErrors -removeComments',
      ),
    },
  },
  eslint: {
    operands: 'touch',
    options: {
      ...each('-c --config --rulesdir --plugin --parser --resolve-plugins-relative-to -f --format', LOADS),
      ...each('-o --output-file --cache-location', TARGET),
      ...each('--ext --max-warnings --ignore-pattern --rule', TEXT),
      ...each(
        '--ignore-path --env --global --parser-options --fix-type --cache-file --flag --stdin-filename --cache-strategy',
        TEXT,
      ),
      ...switches(
        '-h --fix --color --fix-dry-run --quiet --cache --no-eslintrc --no-config-lookup --no-ignore --no-inline-config --debug ' +
          '--report-unused-disable-directives --no-error-on-unmatched-pattern --pass-on-no-patterns --stats --no-warn-ignored ' +
          '--stdin --print-config --inspect-config --no-color --exit-on-fatal-error --max-warnings',
      ),
      '--max-warnings': TEXT,
    },
  },
  prettier: {
    operands: 'touch',
    options: {
      ...each('--config --plugin --find-config-path', LOADS),
      ...each('--ignore-path', READ),
      ...each(
        '--parser --log-level --print-width --tab-width --trailing-comma --prose-wrap --end-of-line --stdin-filepath',
        TEXT,
      ),
      ...switches(
        '-cluwh --check --write --list-different --no-config --no-editorconfig --ignore-unknown --no-error-on-unmatched-pattern --cache ' +
          '--single-quote --no-semi --use-tabs --color --no-color --support-info --file-info --with-node-modules',
      ),
    },
  },
  pytest: {
    operands: 'touch',
    options: {
      ...each('-c --config-file --rootdir -p --confcutdir -o --override-ini --import-mode --basetemp --pdbcls', LOADS),
      ...each('--junitxml --junit-xml --log-file', TARGET),
      ...each('-k -m -n --maxfail --tb --durations --color --cov-report -W', TEXT),
      ...each(
        '--cov --cov-fail-under --timeout --dist --seed --randomly-seed --capture --show-capture --assert --ignore --deselect',
        TEXT,
      ),
      ...each(
        '--ignore-glob --lf-file --last-failed-no-failures --verbosity --log-level --log-cli-level --reruns --strict',
        TEXT,
      ),
      ...each('--cov-config --profile-svg --html --result-log', READS_SETTINGS),
      ...switches(
        '-hlqrsvxVfaA --collect-only --co --exitfirst --lf --last-failed --ff --failed-first --nf --sw --stepwise --no-header --no-summary ' +
          '--quiet --verbose --full-trace --disable-warnings --strict-markers --no-cov --markers --fixtures --version --cache-clear ' +
          '--cov-branch --cov-append --pdb --showlocals --setup-show --snapshot-update --benchmark-only --runslow',
      ),
      '-r': TEXT,
    },
  },
};
