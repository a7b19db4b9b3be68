import { danger } from '../arguments/dangers.ts';
import { readInnerScript } from '../arguments/inner.ts';
import { namesInCode } from '../arguments/mentions.ts';
import { CODE, each, LOADS, READ, READS_SETTINGS, switches, TEXT, WRITE, words } from '../arguments/option-meanings.ts';
import type { Call, CommandProfile, Findings, Look } from '../arguments/profile.ts';
import type { ShellKind } from '../reader.ts';
import type { ShellWord } from '../words/shell-word.ts';
import { withoutArgumentFiles } from './readers.ts';

/** Runs a file that is given; without one it runs what comes in, which nobody has seen. */
const runsFile: Look = (call): Findings => ({
  ...runsOther(call),
  files: call.options.flatMap(({ name, value }) =>
    /^-[ceEpr]$|^--(?:eval|print)$/.test(name) && value ? namesInCode(value) : [],
  ),
});

function runsOther({ words, operands, dangers }: Call): Findings {
  const [file] = operands;
  if (isInput(file)) return { opaque: 'runs code from its input' };
  if (file?.value === 'inspect') return { opaque: 'opens a prompt' };
  const hasCode = dangers.some((found) => found.because === CODE.danger || found.because === RUNS_MODULE);
  if (hasCode || (file !== undefined && file.value !== '-')) return {};
  const isQuestion = words.length === 2 && /^(?:--?version|-[vV]|--?help|-h)$/.test(words[1]?.value ?? '');
  const isOther = words.some((word) => /^--(?:test|run)(?:=|$)/.test(word.value ?? ''));
  return isQuestion || isOther ? {} : { opaque: 'runs code from its input' };
}

/** `/dev/stdin`, and `/dev/fd/63`, which is what `<(command)` becomes. */
export function isInput(file: ShellWord | undefined): boolean {
  return /^\/dev\/(?:stdin|fd\/)/.test(file?.value ?? '');
}

const RUNS_MODULE = 'runs a module';

function interpreter(
  options: NonNullable<CommandProfile['options']>,
  extra: Partial<CommandProfile> = {},
): CommandProfile {
  return { operands: { first: 'read', rest: 'touch' }, stopsAtOperand: true, options, look: runsFile, ...extra };
}

const PYTHON = interpreter({
  ...each('-c', { ...CODE, isLast: true }),
  ...each('-m', { value: 'text', danger: RUNS_MODULE, isLast: true }),
  ...switches('-bBdEhIOPqRsSuvVx'),
  ...each('-W -X', LOADS),
  ...each('-i', { danger: 'opens a prompt' }),
});
const NODE_OPTIONS = {
  ...each('-e -p --eval --print -pe', CODE),
  ...each(
    '-r --require --import --loader --experimental-loader --experimental-config-file --test-reporter --test-reporter-destination',
    LOADS,
  ),
  ...each('--test-global-setup --experimental-default-config-file --openssl-config --icu-data-dir --tsconfig', LOADS),
  ...each('--env-file --env-file-if-exists', READS_SETTINGS),
  '--watch-path': READ,
  ...each('--build-snapshot --cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-dir --redirect-warnings', WRITE),
  ...each(
    '-C --conditions --test-name-pattern --test-concurrency --test-skip-pattern --test-timeout --test-shard',
    TEXT,
  ),
  ...each('--max-old-space-size --stack-trace-limit --unhandled-rejections --input-type', TEXT),
  ...each('--inspect --inspect-brk --inspect-port', { danger: 'opens a debugger that anyone can connect to' }),
  ...switches(
    '-chv --test --check --watch --run --experimental-strip-types --experimental-transform-types --enable-source-maps --test-only ' +
      '--test-force-exit --no-warnings --trace-warnings --trace-deprecation --throw-deprecation --no-deprecation --expose-gc ' +
      '--preserve-symlinks --experimental-test-coverage --test-update-snapshots --watch-preserve-output --strip-types ' +
      '--experimental-vm-modules --experimental-sqlite --no-experimental-strip-types --trace-uncaught',
  ),
};
const NODE = interpreter(NODE_OPTIONS, { hasUnderscores: true });
const TSX = interpreter(
  {
    ...NODE_OPTIONS,
    ...switches('--no-cache --clear-screen --include --exclude -T'),
    ...each('-P --project --cwd --dir', LOADS),
  },
  { hasUnderscores: true },
);
const PERL = interpreter({
  ...each('-e -E -M -m -I -x -d -D', CODE),
  ...each('-i', { danger: 'changes its files' }),
  ...switches('-0acFhlnpsStTuUvVwWX'),
});

/** Programs that run code. A file of the workspace is an ordinary argument; code on the line is not. */
export const INTERPRETERS: Readonly<Record<string, CommandProfile>> = {
  python: PYTHON,
  python2: PYTHON,
  python3: PYTHON,
  pypy: PYTHON,
  pypy3: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: TSX,
  'ts-node': TSX,
  perl: PERL,
  ruby: interpreter({
    ...each('-e -r -I -x', CODE),
    ...each('-i', { danger: 'changes its files' }),
    ...each('-E', TEXT),
    ...switches('-acdhlnpsSTUvwWy --yjit --enable --disable'),
  }),
  php: interpreter({
    ...each('-r -B -R -E -d -z -S', CODE),
    ...each('-c', LOADS),
    ...each('-f', READ),
    ...switches('-aCHhilmnqsvw'),
  }),
  lua: interpreter(each('-e -l -i', CODE)),
  luajit: interpreter(each('-e -l -i -j', CODE)),
  Rscript: interpreter(each('-e', CODE)),
  osascript: interpreter(each('-e -l', CODE)),
  tclsh: interpreter({}),
  julia: interpreter(each('-e -E -L -i --eval --print --load', CODE)),
  elixir: interpreter(each('-e -r -S --eval', CODE)),
  erl: interpreter(each('-eval -run -s', CODE), { style: 'words', isOpen: true }),
  scala: interpreter(each('-e -i', CODE)),
  groovy: interpreter(each('-e -p -n', CODE)),
  // Options of other names load code or run commands: `-javaagent:x.jar`, `-XX:OnError=...`.
  java: interpreter(
    {
      ...each('-jar', READ),
      ...each('-cp -classpath --class-path', LOADS),
      ...words('-version -ea -enableassertions'),
    },
    { style: 'words', look: (call) => ({ ...runsOther(call), ...withoutArgumentFiles(call) }) },
  ),
  irb: { look: () => ({ opaque: 'runs code from its input' }) },
  ghc: { options: each('-e', CODE), style: 'words', isOpen: true },
  gdb: { look: () => ({ opaque: 'runs and changes other programs' }) },
};

/** Shells themselves: `-c` text is looked into, a script file is an ordinary argument, input is not. */
const lookIntoShell: Look = ({ words }, context): Findings => {
  const shell = words[0]?.value?.replace(/^.*\//, '') ?? 'sh';
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined || value === undefined)
      return { opaque: 'starts a shell with options that are only known when it runs' };
    if (/^-[lexufp]*c[lexufp]*$/.test(value)) {
      const script = words[index + 1];
      if (script === undefined) return { opaque: 'has no command after -c' };
      return {
        inner: {
          parts: readInnerScript(context, script, shell, kindOf(shell)),
          needs: 'inner',
          program: [word, script],
        },
      };
    }
    if (/^(?:-[lexufnp]+|--login|--norc|--noprofile|--)$/.test(value)) continue;
    if (/^[-+]o$/.test(value) && /^(?:pipefail|errexit|nounset|xtrace)$/.test(words[index + 1]?.value ?? '')) {
      index += 1;
      continue;
    }
    if (/^--(?:version|help)$/.test(value)) return { isHarmless: true };
    if (value.startsWith('-') || value.startsWith('+')) return { opaque: `starts a shell with ${value}` };
    if (isInput(word)) return { opaque: 'runs commands from its input' };
    const isLookedFor = !/[/.]/.test(value);
    return {
      files: [{ word, access: 'read', isTree: false }],
      dangers: isLookedFor ? [danger('is looked for in the PATH as well', word)] : [],
    };
  }
  if (context.input.type !== 'text') return { opaque: 'runs commands from its input' };
  return {
    inner: {
      parts: readInnerScript(context, context.input.word, shell, kindOf(shell)),
      needs: 'inner',
      program: [context.input.word],
    },
  };
};

function kindOf(shell: string): ShellKind {
  return shell === 'bash' ? 'bash' : 'any';
}

const SHELL: CommandProfile = { lookInstead: lookIntoShell };
const OTHER_SHELL: CommandProfile = {
  lookInstead: () => ({ opaque: 'starts a shell whose language is not looked into' }),
};

export const SHELLS: Readonly<Record<string, CommandProfile>> = {
  bash: SHELL,
  sh: SHELL,
  dash: SHELL,
  ash: SHELL,
  ksh: SHELL,
  mksh: SHELL,
  zsh: SHELL,
  rbash: SHELL,
  fish: OTHER_SHELL,
  csh: OTHER_SHELL,
  tcsh: OTHER_SHELL,
  pwsh: OTHER_SHELL,
  powershell: OTHER_SHELL,
  cmd: OTHER_SHELL,
  'cmd.exe': OTHER_SHELL,
  'powershell.exe': OTHER_SHELL,
  xonsh: OTHER_SHELL,
  nu: OTHER_SHELL,
  elvish: OTHER_SHELL,
};
