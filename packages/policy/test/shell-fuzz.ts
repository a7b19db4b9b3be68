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
