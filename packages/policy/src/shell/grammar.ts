/** One construct of the shell and what becomes of a line that has it. */
export interface Construct {
  readonly example: string;
  /** Why a line with it is put to the person; undefined for a construct of the language that may run unasked. */
  readonly because?: string;
}

type AskedConstruct =
  | 'assignment'
  | 'other variable'
  | 'other expansion'
  | 'other calculation'
  | 'other change of folder'
  | 'case of words'
  | 'function'
  | 'command of the shell'
  | 'other construct';

const PARTS: Readonly<Record<string, Construct>> = {
  'simple command': { example: "grep -n 'a b' src/index.ts" },
  glob: { example: 'ls src/*.ts' },
  'brace list': { example: 'mkdir -p src/{api,lib}' },
  pipeline: { example: 'ls | head -5' },
  list: { example: 'npm ci && npm test; echo done' },
  negation: { example: '! grep -q TODO src/a.ts' },
  group: { example: '(cd src && ls)' },
  redirection: { example: 'npm test > out.txt 2>&1' },
  'here-document': { example: "cat <<'EOF'" },
  comment: { example: 'ls # the folder' },
  'change of folder': { example: 'cd src' },
  'variables of a program': { example: 'CI=1 npm test' },
  condition: { example: 'if [ -f a.ts ]; then cat a.ts; fi' },
  test: { example: '[[ -f a.ts ]] && cat a.ts' },
  'for loop': { example: 'for f in src/*.ts; do wc -l "$f"; done' },
  'while loop': { example: 'while ! curl -s localhost:3000; do sleep 1; done' },
  'command substitution': { example: 'echo "$(git rev-parse HEAD)"' },
  'process substitution': { example: 'diff <(sort a.txt) <(sort b.txt)' },
  'plain variable': { example: 'echo "exit code $?, in $PWD"' },
  'calculation with numbers': { example: 'echo $((2 + 3))' },
};

const ASKED: Readonly<Record<AskedConstruct, Required<Construct>>> = {
  assignment: { example: 'x=1', because: 'sets a variable' },
  'other variable': { example: 'echo $TOKEN', because: 'uses a variable, whose value is not followed' },
  'other expansion': {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is shell.
    example: 'echo ${x:-y}',
    because: 'expands a variable in a way that can run commands or set it',
  },
  'other calculation': { example: 'echo $((x + 1))', because: 'calculates with values that can hold commands' },
  'other change of folder': { example: 'cd -P src', because: 'changes to a folder that is only known then' },
  'case of words': { example: 'case a in a) ls;; esac', because: 'is a case, whose end shells read differently' },
  function: { example: 'f() { ls; }', because: 'defines a function, which can take the name of any command' },
  'command of the shell': { example: 'eval ls', because: 'is a command of the shell that changes what follows' },
  'other construct': { example: 'coproc ls', because: 'is a kind of command that is not looked into' },
};

/**
 * The language in which a line may run without a question. It is a small part of a shell's: words are literal, nothing sets a variable, and
 * nothing is followed from one command to the next but the folder of a literal `cd`. A construct that is not listed as part of it asks.
 * `docs/concepts/permissions.md` shows the same table; a test compares them.
 */
export const GRAMMAR: Readonly<Record<string, Construct>> = { ...PARTS, ...ASKED };

/** Why a line with this construct is put to the person. */
export function outsideGrammar(name: AskedConstruct): string {
  return ASKED[name].because;
}
