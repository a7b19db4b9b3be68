export type ScaffoldKind = 'agent' | 'client' | 'adapter' | 'grader';
export type Language = 'ts' | 'python' | 'json';

/** Something that can be made: where its files are, and what to do with it then. */
export interface Scaffold {
  readonly kind: ScaffoldKind;
  readonly language: Language;
  /** `an agent in TypeScript` */
  readonly title: string;
  /** Folders below `templates`; files of all of them come together. */
  readonly folders: readonly string[];
  /** What stands in the templates for the name: `my-agent`, and `my_agent` where Python needs it. */
  readonly placeholder: string;
  /** Commands to try, in the new folder, each with what it is for. `{name}` is the name, `{module}` the same as a Python module. */
  readonly next: readonly (readonly [command: string, purpose: string])[];
}

const TALK = 'talk to it';
const FOLLOWS = 'does it follow the specification?';

/** Every scaffold; the first of a kind is what is made when no language is named. */
export const SCAFFOLDS: readonly Scaffold[] = [
  {
    kind: 'agent',
    language: 'ts',
    title: 'an agent in TypeScript',
    folders: ['agent/ts', 'shared/ts'],
    placeholder: 'my-agent',
    next: [
      ['npm install', 'also builds it'],
      ['npm test', ''],
      ['npm run check', FOLLOWS],
      ['npx parley --agent "node dist/main.js"', TALK],
    ],
  },
  {
    kind: 'agent',
    language: 'python',
    title: 'an agent in Python',
    folders: ['agent/python', 'shared/python'],
    placeholder: 'my-agent',
    next: [
      ['python3 -m unittest', ''],
      ['parley check -- python3 {module}.py', FOLLOWS],
      ['parley --agent "python3 {module}.py"', TALK],
    ],
  },
  {
    kind: 'client',
    language: 'ts',
    title: 'a client in TypeScript',
    folders: ['client/ts', 'shared/ts'],
    placeholder: 'my-client',
    next: [
      ['npm install', 'also builds it'],
      ['npm test', ''],
      ['npm run check', FOLLOWS],
      ['npm start -- "Hello there"', 'asks our own agent'],
    ],
  },
  {
    kind: 'client',
    language: 'python',
    title: 'a client in Python',
    folders: ['client/python', 'shared/python'],
    placeholder: 'my-client',
    next: [
      ['python3 -m unittest', ''],
      ['parley check --client -- python3 {module}.py hello {agent}', FOLLOWS],
      ['python3 {module}.py "Hello there" parley agent', 'asks our own agent'],
    ],
  },
  {
    kind: 'adapter',
    language: 'json',
    title: 'an adapter for a command-line agent',
    folders: ['adapter/json'],
    placeholder: 'my-adapter',
    next: [
      ['parley adapt test --strict {name}.json', 'what becomes of each recorded line'],
      ['parley check -- parley adapt {name}.json', FOLLOWS],
      ['parley --agent {name}.json', TALK],
      ['parley adapt record --force -o {name}.json -- <your command>', ''],
    ],
  },
  {
    kind: 'grader',
    language: 'ts',
    title: 'a grader in TypeScript',
    folders: ['grader/ts', 'shared/ts'],
    placeholder: 'my-grader',
    next: [
      ['npm install', 'also builds it'],
      ['npm test', ''],
    ],
  },
  {
    kind: 'grader',
    language: 'python',
    title: 'a grader in Python',
    folders: ['grader/python', 'shared/python'],
    placeholder: 'my-grader',
    next: [['python3 -m unittest', '']],
  },
];

export const SCAFFOLD_KINDS: readonly ScaffoldKind[] = [...new Set(SCAFFOLDS.map(({ kind }) => kind))];
export const LANGUAGES: readonly Language[] = ['ts', 'python'];
