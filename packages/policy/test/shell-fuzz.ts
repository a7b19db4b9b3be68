/** Random numbers from a seed, so that a failure can be repeated. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const WORDS = [
  'git',
  'status',
  'a',
  '-rf',
  '--x=y',
  'src/a.ts',
  "'a b'",
  '"a b"',
  '"$X"',
  '$X',
  `$${'{X}'}`,
  '$(git b)',
  '`git b`',
  '*.ts',
  'a\\ b',
  "$'a\\tb'",
  '""',
  "''",
  'a"b"c',
  '{a,b}',
  '~',
  'x=y',
  '#a',
  'a#b',
  '\\;',
  '"a;b"',
  "'a|b'",
  '[a]',
  '!',
  '1',
  '%',
  '@',
  '$',
  '\\$',
  '"\\""',
  "'\"'",
  '$((1+2))',
  '<(git b)',
  'a\\\nb',
  '$1',
  '"$@"',
  'é',
];
const JOINTS = [
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  '\t',
  ' \\\n ',
  '; ',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  '\n',
  ';',
  '|',
  '&&',
  ' > ',
  ' >> ',
  ' 2>&1 ',
  ' < ',
  ' >',
  ' 2> ',
  ' &> ',
  '\n\n',
  ' |& ',
  ' # ',
];
const SIGNS = ' \t\n;&|<>()$`"\'\\{}[]*?#~!=%-+^@:,./aX1';

/** A command line put together from pieces that mean something. */
export function generateLine(random: (below: number) => number): string {
  let line = pick(WORDS, random);
  for (let count = random(6); count > 0; count -= 1) line += pick(JOINTS, random) + pick(WORDS, random);
  if (random(8) === 0) line = `(${line})`;
  if (random(8) === 0) line = `{ ${line}; }`;
  if (random(10) === 0) line = `if ${line}; then git a; fi`;
  if (random(12) === 0) line = `! ${line}`;
  return line;
}

/** A line with one to three characters added, removed, doubled or swapped. */
export function mutateLine(line: string, random: (below: number) => number): string {
  let mutated = line;
  for (let count = 1 + random(3); count > 0; count -= 1) {
    const at = random(mutated.length + 1);
    const sign = SIGNS[random(SIGNS.length)] ?? ' ';
    const ways = [
      mutated.slice(0, at) + sign + mutated.slice(at),
      mutated.slice(0, at) + mutated.slice(at + 1),
      mutated.slice(0, at) + sign + mutated.slice(at + 1),
      mutated.slice(0, at) + mutated.slice(at, at + 3) + mutated.slice(at),
    ];
    mutated = pick(ways, random);
  }
  return mutated;
}

function pick<Item>(items: readonly Item[], random: (below: number) => number): Item {
  return items[random(items.length)] as Item;
}

/** Everything that means something to some shell, put where it does not belong. */
const TOKENS = [
  ...JOINTS,
  ...' &>> ,&>x,>&x,>&2,2>&1,|&,;;,;&,;;&,<<<a,<<E\nb\nE\n,<<-E\n\tb\n\tE\n,<(ls),>(cat),<>x,>|x,10>x,{v}>x,2&>x'.split(
    ',',
  ),
  ...'[[ ,]],[[\n,((,)),$((1)),$[1],$(ls),`ls`,`ls \\`ls\\``,$(,`,),(,{,},{a,b},{1..3},-{a,b}'.split(','),
  ..."$'a',$'\\n',$'\\'',$'\\x41',$\"a\",'a','a,\"a\",\"a,\\,\\\\,\\\n,\\\"".split(','),
  ...'~,~/a,a=~/b,a=b ,a+=b ,a[0]=b ,a=(b) ,export a=b; ,CI=1 ,PATH=. ,NO_COLOR=1 ,X=ls; ,$X'.split(','),
  ...['{X}', '{X:-ls}', '{X:=ls}', '{X/a/b}', '{X#a}', '{#X}', '{X[0]}', '{!X}'].flatMap((text) => [
    `$${text}`,
    `"$${text}"`,
  ]),
  ...'! ,time ,coproc ,function f { ls; }; ,f() { ls; }; ,eval ,exec ,command ,builtin ,env ,if ls; then ,fi,for f in *; do ,done,do ,; done'.split(
    ',',
  ),
  ...'case a in a) ,esac,while ls; do ,select x in a; do ,#, #,a#b,*,?,[a],[!a],[[:alpha:]],[a/b],*(a),@(a|b),!(a),**/a,.*,./*'.split(
    ',',
  ),
  ...'\n,\t,\r, \\\n,&,|,;,<,>,>>,<<,$,!,--,-,=,==,%,^,:,,@,test -v a,printf -va ,wait -n ,read a,unset a,local a,set -- a,shift,trap ls EXIT,'.split(
    ',',
  ),
];

/** A line with one to three tokens of the shell put in, beside smaller changes. */
export function mutateWithTokens(line: string, random: (below: number) => number): string {
  let mutated = line;
  for (let count = 1 + random(3); count > 0; count -= 1) {
    const isAtWord = random(2) === 0;
    const blanks = [...mutated.matchAll(/ |^|$/g)].map((match) => match.index);
    const at = isAtWord ? (blanks[random(blanks.length)] ?? 0) : random(mutated.length + 1);
    mutated = `${mutated.slice(0, at)}${random(3) === 0 ? ' ' : ''}${pick(TOKENS, random)}${random(2) === 0 ? ' ' : ''}${mutated.slice(at)}`;
  }
  return random(4) === 0 ? mutateLine(mutated, random) : mutated;
}

/** Pieces of lines that leave something behind for what follows: variables, folders, links, files named like options. */
const VARIABLES = ['x', 'y', '_', 'SECONDS', 'HOME', 'IFS', 'PATH', 'f'];
const VALUES = [
  'ls',
  'touch',
  'a.ts',
  '../secret.txt',
  '-rf',
  'src',
  '.',
  '..',
  '$x',
  '$_',
  '"$y"',
  '$(echo b)',
  "'a b'",
];
const FOLDERS = ['src', '..', '.', 'link', 'link/..', 'made', '-', '-P link', '"$x"', '~', 'src/../link', 'none'];
const WRAPPERS = [
  '',
  '',
  '',
  'command ',
  'builtin ',
  'env ',
  'env -i ',
  'timeout 5 ',
  'nohup ',
  'time ',
  'eval ',
  'CI=1 ',
  'x=touch ',
];
const EFFECTS = [
  (random: Random) => `${pick(VARIABLES, random)}=${pick(VALUES, random)}`,
  (random: Random) =>
    `${pick(VARIABLES, random)}=${pick(VALUES, random)} ${pick(VARIABLES, random)}=${pick(VALUES, random)}`,
  (random: Random) => `export ${pick(VARIABLES, random)}=${pick(VALUES, random)}`,
  (random: Random) => `read ${pick(VARIABLES, random)} <<< ${pick(VALUES, random)}`,
  (random: Random) => `printf -v ${pick(VARIABLES, random)} ${pick(VALUES, random)}`,
  (random: Random) => `echo \${${pick(VARIABLES, random)}:=${pick(VALUES, random)}}`,
  (random: Random) => `cd ${pick(FOLDERS, random)}`,
  (random: Random) => `pushd ${pick(FOLDERS, random)}`,
  (random: Random) => `set ${pick(['-a', '-e', '-u', '--', '-o pipefail', '-f'], random)}`,
  () => 'mv link made; ln -s .. made',
  (random: Random) => `: ${pick(VALUES, random)}`,
] as const;
const PLAIN_EFFECTS = [
  (random: Random) => `cd ${pick(['src', 'none', '.', 'link', 'src/..', 'none/..'], random)}`,
  () => 'false',
  (random: Random) => `: ${pick(VALUES, random)}`,
] as const;
const PLAIN_PROGRAMS = ['ls', 'cat', 'head -1', 'wc -l', 'git status', 'CI=1 ls', 'timeout 5 cat', 'xargs ls'];
const PLAIN_OPERANDS = ['', '', 'a.ts', './a.ts', '*.ts', '"$HOME/a"', '{a,b}.ts', '> out', '2>&1', '> /dev/null'];
const PROGRAMS = (
  'ls cat head tail wc sort uniq cut tr grep rg find fd sed awk jq tree stat file du diff comm echo printf test date ps git npm node python3 make ' +
  'tar unzip curl xargs tee cp mv rm mkdir touch ln chmod docker kubectl sqlite3'
).split(' ');
const OPTIONS = [
  '-n',
  '-r',
  '-l',
  '-a',
  '-o x',
  '-e p',
  '--output=x',
  '-I{} -L1',
  '-exec touch x ;',
  '-i',
  '-C src',
  '-c',
  '--',
  '-P',
  '-x',
  '-0',
];
const OPERANDS = [
  'a.ts',
  'src/a.ts',
  '$x',
  '"$x"',
  '"$f"',
  '$_',
  '*.ts',
  'src/*',
  '../secret.txt',
  '.',
  'link/x',
  'made/x',
  "'{print $1}'",
  "'s/a/b/'",
  'status',
  '$?',
  '"$HOME/a"',
];

type Random = (below: number) => number;

/** A line of several commands, in which earlier ones may change what later ones do. */
export function generateStatefulLine(random: Random): string {
  // Lines of plain pieces are allowed more often, so that more of them run.
  const isPlain = random(3) === 0;
  const parts = Array.from({ length: 1 + random(4) }, () => {
    const effects = isPlain ? PLAIN_EFFECTS : EFFECTS;
    const part = random(3) === 0 ? pick(effects, random)(random) : generateCall(random, isPlain);
    return random(12) === 0 ? `(${part})` : random(12) === 0 ? `{ ${part}; }` : part;
  });
  const line = parts.reduce(
    (left, right) => `${left}${pick(['; ', ' && ', ' || ', ' | ', '\n', ' & '], random)}${right}`,
  );
  if (random(8) === 0)
    return `for ${pick(VARIABLES, random)} in ${pick(VALUES, random)} ${pick(OPERANDS, random)}; do ${line}; done`;
  if (random(16) === 0) return `if ${line}; then ${generateCall(random)}; fi`;
  return line;
}

function generateCall(random: Random, isPlain = false): string {
  if (isPlain) return `${pick(PLAIN_PROGRAMS, random)} ${pick(PLAIN_OPERANDS, random)}`;
  const program =
    random(10) === 0 ? pick(['$x', '"$x"', '$_', `"$${'{x}ls'}"`, './ls', 'src/ls'], random) : pick(PROGRAMS, random);
  const words = Array.from({ length: random(4) }, () => pick(random(3) === 0 ? OPTIONS : OPERANDS, random));
  const redirect =
    random(8) === 0 ? pick([' > out', ' > $x', ' > "$f"', ' 2>&1', ' < a.ts', ' >> link/x', ' > made/x'], random) : '';
  return `${pick(WRAPPERS, random)}${[program, ...words].join(' ')}${redirect}`;
}
