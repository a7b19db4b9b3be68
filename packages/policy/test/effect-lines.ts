import { MARKER } from './prepared-folder.ts';

type Random = (below: number) => number;

const pick = <Item>(items: readonly Item[], random: Random): Item => items[random(items.length)] as Item;

/** Files of the prepared folder, of which some lead out of it. */
const FILES = [
  'ok.txt',
  'a.json',
  'src/a.ts',
  'src',
  '.',
  'keylink',
  'outdir/secret.txt',
  '../secret.txt',
  'src/up',
  'up',
  'other',
  'dash',
  'key*',
  'src/*',
  '*',
  '-*',
  './*',
  '"$HOME"/.ssh/id_rsa',
  '.git/config',
  '/dev/null',
];
/** Words that are more than they seem. */
const WORDS = ['file', 'output', 'exec', 'command', 'option', 'script'].flatMap((name) => [
  `$(cat words/${name})`,
  `"$(cat words/${name})"`,
  `\`cat words/${name}\``,
]);
const ACTION = `touch ${MARKER}`;

/** Programs that are really there, with options and texts of their own. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  cat: ['-n', '-A', '--'],
  head: ['-n 1', '-n', '-c', '-1', '-q', '--lines=1'],
  tail: ['-n 1', '-n', '-c', '+1', '--lines'],
  wc: ['-l', '--files0-from=words/file', '--files0-from=-'],
  sort: [
    '-r',
    '-k',
    '-t',
    '-S',
    `-o ${MARKER}`,
    `-o${MARKER}`,
    `--output=${MARKER}`,
    '--compress-program=./run.sh -S1k',
    '-T .',
    '--files0-from=words/file',
    '-u',
  ],
  cut: ['-c1', '-f', '-d', '-d: -f1'],
  grep: [
    'TOP',
    '-r TOP',
    '-R TOP',
    '-e',
    '-f',
    '-fkeylink',
    '-m',
    '-rn',
    '-i',
    '--include=*.ts',
    '"$(cat words/option)" TOP',
    '--file=keylink',
    '-d recurse',
    '--',
  ],
  find: [
    '-name',
    '-maxdepth 1',
    `-exec ${ACTION} ;`,
    `-exec ${ACTION} \\;`,
    '-exec cat {} \\;',
    '-exec cat {} +',
    'src -name up -exec cat {} +',
    './clean -exec cat {}/../../secret.txt \\;',
    './clean -maxdepth 0 | xargs -I{} cat {}/../../secret.txt',
    `./clean -exec sort -o{}${MARKER} ok.txt \\;`,
    '-exec sort -S1k --compress-program={} ok.txt \\;',
    '-type f',
    '-type l',
    '-delete',
    `-fprint ${MARKER}`,
    '-L',
    '-newer',
    '-printf',
    '-follow',
    '-exec git -C {} status \\;',
  ],
  sed: [
    '-n',
    '-e p',
    "'s/a/b/'",
    "'1p'",
    `'w ${MARKER}'`,
    `'1e ${ACTION}'`,
    `'s/h/x/w ${MARKER}'`,
    `'s/h/x/;w ${MARKER}'`,
    `'s,[^],],g;s,w ${MARKER},x,'`,
    '--',
    `-e 'w ${MARKER}'`,
    '-E',
    '-i',
    '-s',
    '-f words/script',
  ],
  awk: [
    "'{print $1}'",
    "'1'",
    "'/a/'",
    `'BEGIN{system("${ACTION}")}'`,
    `'{print > "${MARKER}"}'`,
    `'NF\n/"/{system("${ACTION}")};/"/'`,
    '-F:',
    '-v',
    '\'BEGIN{getline x < "../secret.txt"; print x}\'',
    '\'BEGIN{print ENVIRON["PREPARED"]}\'',
  ],
  jq: [
    '-n env',
    "-n 'path(.[env:])'",
    "-n '$ENV'",
    '.',
    "'.name'",
    'env',
    "'path(.[env:])'",
    "'$ENV'",
    "'{env:1}'",
    '-n',
    '-R',
    '--arg a',
    '--rawfile a',
    '-f',
    '--indent',
    "'$a'",
  ],
  diff: ['src other', '-u other src', '-r', '-u', '-N', '-q', '--from-file'],
  comm: ['-1', '--'],
  column: ['-t', '-s', '-n'],
  xxd: ['-p', '-l', '-r', '-c'],
  od: ['-c', '-N'],
  ls: ['-la', '-R', '-L', '-I', '--'],
  du: ['-a', '-L', '-d'],
  stat: ['-c', '-L'],
  file: ['-f', '-F', '-b'],
  base64: ['-w', '-d'],
  date: ['-d', '+%s', '-f', '-r'],
  echo: ['-n', `> ${MARKER}`, '$PREPARED', '"$PREPARED"'],
  printf: ["'%s\\n'", '-v x'],
  git: [
    'status',
    '-C nested status',
    '-C src status',
    'log',
    `diff --output=${MARKER}`,
    `log --output ${MARKER}`,
    'diff --no-index',
    'grep -n TOP',
    'show HEAD',
    '-c core.fsmonitor=./run.sh status',
    `branch --list x`,
    'ls-files',
  ],
  env: ['cat', `${ACTION}`, 'PATH=.', 'ls', ''],
  nice: ['-n', 'ls', `${ACTION}`, '-n 5 cat'],
  timeout: ['5 cat', '-k', `5 ${ACTION}`, '5 ls'],
  bash: [`-c '${ACTION}'`, "-c 'cat ok.txt'", "-c 'cat keylink'", "-c 'cd nested && git status'", 'run.sh'],
};
const NAMES = Object.keys(PROGRAMS);
const BEFORE = [
  '',
  '',
  '',
  '',
  'cd src; ',
  'cd dash; ',
  'cd dash && ',
  'cd nested; ',
  'cd outdir; ',
  'x=keylink; ',
  'mv deep/er/link l; ',
  'mv src/up u; ',
];
const PIPED = [
  'xargs',
  'xargs cat',
  'xargs head -n',
  'xargs -I{} cat {}',
  'xargs -I{} cat ./{}',
  `xargs -I{} sort -o{}${MARKER} ok.txt`,
  'xargs -n1 sort',
  'xargs -0 cat',
  'xargs grep',
  'xargs -I{} git -C {} status',
  'head -1',
  'sh',
  'cat',
  'sort -u',
  `tee ${MARKER}`,
  'wc -l',
  'grep TOP',
];
/** With `acceptEdits`: changes of files, of which some leave the workspace or reach protected names. */
const EDITS = [
  'echo x > ../made',
  'echo x > l/made',
  'echo x > outdir/made',
  'echo x > made.txt',
  'echo x > .git/hooks/made',
  'echo x > gitlink/hooks/made',
  'mv ok.txt l/made',
  'mv ok.txt ../made',
  'mv ok.txt gitlink/hooks/',
  'mv ok.txt .mcp.json',
  'mv ok.txt -t ..',
  'mv deep/er/link l',
  'mv deep/er/link made && echo x > made/y',
  'mv deep d2',
  'echo x > d2/er/link/made',
  'mkdir made',
  'mkdir ../made',
  'mkdir -p outdir/made',
  'rm ok.txt',
  'rm ../secret.txt',
  'rm -rf outdir/home',
  'rm -rf src',
  'sed -i s/a/b/ ok.txt',
  'sed -i s/T/b/ keylink',
  'sort -o made.txt ok.txt',
  'sort -o ../made ok.txt',
  'find src -fprint made.txt',
  'find src -fprint ../made',
  'cat l/secret.txt',
  'cat u',
  'mv src/up u',
  'echo x > HEAD',
  'cd src',
  'cd outdir',
  'for d in out*; do echo x > "$d/made"; done',
];

/** A line of real programs, most of which only read. */
export function generateEffectLine(random: Random): string {
  const call = generateCall(random);
  const piped = random(4) === 0 ? `${call} | ${pick(PIPED, random)}` : call;
  const line = `${pick(BEFORE, random)}${piped}`;
  if (random(10) > 0) return line;
  return `for f in ${pick([...FILES, 'a b', '-R'], random)}; do ${generateCall(random, ['"$f"', '$f', '"$f/secret.txt"'])}; done`;
}

function generateCall(random: Random, operands: readonly string[] = []): string {
  const name = pick(NAMES, random);
  const words = Array.from({ length: 1 + random(3) }, (_, index) => {
    // The first word is most often one that the program knows.
    const kind = index === 0 ? random(6) : random(10);
    if (operands.length > 0 && kind < 4) return pick(operands, random);
    return pick(kind < 5 ? (PROGRAMS[name] ?? []) : kind < 9 ? FILES : WORDS, random);
  });
  return [name, ...words].join(' ');
}

/** A line that changes files. */
export function generateEditLine(random: Random): string {
  const parts = Array.from({ length: 1 + random(3) }, () => pick(EDITS, random));
  return parts.reduce((left, right) => `${left}${pick(['; ', ' && '], random)}${right}`);
}
