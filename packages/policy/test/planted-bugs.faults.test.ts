import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isHarmlessSetting } from '../src/shell/environment.ts';
import type * as BuiltinsModule from '../src/shell/profiles/builtins.ts';
import { isAllowedLine, makeLines, readBelief } from './compare-lines.ts';
import { type EffectMode, isAllowed, policyFor } from './effects.ts';
import { createPreparedFolder, type PreparedFolder } from './prepared-folder.ts';
import { findShells } from './run-lines.ts';

/** Replaces functions of one file of the policy. */
type Plant = (actual: Actual) => Record<string, unknown>;
type Actual = Readonly<Record<string, (...args: readonly unknown[]) => never>>;

const SEED = 20_261_118;
const LINES = 4_000;
const MAX_RUN = 200;
const TIMEOUT_MS = 120_000;
const ANY = { text: 'a', value: 'a', glob: [], splits: false };

/** Bugs that make the policy believe in other words, folders, variables or files than a shell has: found with recording programs. */
const READING: readonly (readonly [file: string, bug: string, plant: Plant])[] = [
  [
    'shell/words/expansion.ts',
    'every variable is the home folder',
    ({ readParameter }: Actual) => ({
      readParameter: (draft: unknown, _part: unknown, scope: object, ...rest: unknown[]) =>
        readParameter?.(draft, { type: 'SimpleExpansion', text: '$HOME' }, scope, ...rest),
    }),
  ],
  [
    'shell/words/braces.ts',
    'braces are one word',
    ({ expandBraces }: Actual) => ({
      expandBraces: (parts: unknown) => (expandBraces?.(parts) as readonly unknown[] | undefined)?.slice(0, 1),
    }),
  ],
  [
    'shell/words/word-draft.ts',
    'patterns and substitutions are text',
    ({ addText }: Actual) => ({ addWildcards: (draft: unknown) => addText?.(draft, 'x') }),
  ],
  ['shell/script/read-redirect.ts', 'redirects write nothing', () => ({ readRedirect: () => undefined })],
  [
    'shell/script/read-simple.ts',
    'assignments do nothing',
    ({ readSimple }: Actual) => ({
      readSimple: (reader: unknown, node: { name?: unknown }, state: unknown, input: unknown) =>
        node.name === undefined ? { ok: state, fail: state } : readSimple?.(reader, node, state, input),
    }),
  ],
  ['shell/script/coverage.ts', 'unread characters are left out', () => ({ findUnread: () => undefined })],
  ['shell/state.ts', 'cd stays where it is', () => ({ changeDirectory: (state: unknown) => state })],
  ['shell/state.ts', 'cd never fails', () => ({ join: (left: unknown) => left })],
  [
    'shell/state.ts',
    'a loop has one word',
    ({ withLoop }: Actual) => ({ withLoop: (state: unknown, name: string) => withLoop?.(state, name, ANY) }),
  ],
  ['shell/state.ts', 'variables before a program are lost', () => ({ withSettings: (state: unknown) => state })],
  ['shell/environment.ts', 'every variable is harmless', () => ({ isHarmlessSetting: () => true })],
  [
    'shell/profiles/builtins.ts',
    'eval, export and read only print',
    ({ BUILTINS }: Actual) => ({ BUILTINS: withBuiltins(BUILTINS as unknown as typeof BuiltinsModule.BUILTINS) }),
  ],
  [
    'shell/profiles/wrappers.ts',
    'programs behind wrappers are not looked for',
    ({ WRAPPER_PROFILES }: Actual) => ({
      WRAPPER_PROFILES: Object.fromEntries(
        Object.keys(WRAPPER_PROFILES ?? {}).map((name) => [
          name,
          { operands: 'text', isOpen: true, look: () => ({ isHarmless: true }) },
        ]),
      ),
    }),
  ],
  [
    'shell/profiles/interpreters.ts',
    'scripts of shells are not read',
    ({ SHELLS, ...rest }: Actual) => ({
      ...rest,
      SHELLS: Object.fromEntries(
        Object.keys(SHELLS ?? {}).map((name) => [
          name,
          { operands: 'text', isOpen: true, look: () => ({ isHarmless: true }) },
        ]),
      ),
    }),
  ],
];

/** Bugs in the knowledge of programs and of the disk: found with real programs on a prepared disk. */
const EFFECTS: readonly (readonly [file: string, bug: string, plant: Plant])[] = [
  ['shell/profiles/languages/sed.ts', 'every script of sed filters', () => ({ isFilterInSed: () => true })],
  ['shell/profiles/languages/awk.ts', 'every program of awk filters', () => ({ isFilterInAwk: () => true })],
  ['shell/profiles/languages/jq.ts', 'every program of jq filters', () => ({ isFilterInJq: () => true })],
  [
    'shell/words/shell-word.ts',
    'a name with text around it is the name',
    ({ putName }: Actual) => ({
      putName: (word: { value?: string; text: string }, mark: string, name: object) =>
        word.value?.includes(mark) ? { ...name, text: word.text } : putName?.(word, mark, name),
    }),
  ],
  ['shell/arguments/scan.ts', 'a word that becomes several is not looked at', () => ({ takesTextOnly: () => true })],
  [
    'shell/arguments/scan.ts',
    'no argument is dangerous',
    ({ scanArguments }: Actual) => ({
      scanArguments: (...args: readonly unknown[]) => ({
        ...(scanArguments?.(...args) as unknown as object),
        dangers: [],
      }),
    }),
  ],
  ['shell/moved-paths.ts', 'the line moves nothing', () => ({ forgetMovedPaths: (parts: unknown) => parts })],
  ['pattern/command-pattern.ts', 'rules write everything out', () => ({ spellsOut: () => true })],
  ['rules/target.ts', 'every file is inside', () => ({ isTargetInside: () => 'yes' })],
  ['judge/repository-gap.ts', 'git runs anywhere', () => ({ repositoryGap: () => undefined })],
  ['judge/judge-file.ts', 'nothing is protected', () => ({ judgeHard: () => undefined })],
  ['workspace/disk.ts', 'patterns meet no links', ({ NOTHING_MET }: Actual) => ({ meetGlob: () => NOTHING_MET })],
  ['workspace/disk.ts', 'trees hold no links', ({ NOTHING_MET }: Actual) => ({ meetTree: () => NOTHING_MET })],
  [
    'workspace/disk.ts',
    'paths are where they are written',
    ({ physicalPath }: Actual) => ({
      physicalPath: (folder: string, path: string) => physicalPath?.(folder, path, (each: string) => each),
    }),
  ],
];

const bash = findShells(['bash']).get('bash');
const onLinux = {
  skip: process.platform !== 'linux' || bash === undefined,
  meta: { skipReason: 'runs bash on Linux' },
};

describe('a bug that is planted in the policy', onLinux, () => {
  /** The belief of the policy without a bug, for lines that it allows. */
  let beliefs: ReadonlyMap<string, string | undefined>;
  let folder: PreparedFolder;
  const known = new Map<string, boolean>();

  beforeAll(() => {
    const believe = (line: string): string | undefined =>
      isAllowedLine(line, 'bash') ? JSON.stringify(readBelief(line, 'bash')) : undefined;
    beliefs = new Map(makeLines(LINES, SEED).map((line) => [line, believe(line)]));
    folder = createPreparedFolder();
    return () => folder[Symbol.dispose]();
  }, TIMEOUT_MS);

  afterEach(() => {
    vi.resetModules();
  });

  it.each(READING)('is found by what shells run: %s, %s', { timeout: TIMEOUT_MS }, async (file, _bug, plant) => {
    const planted = await withBug<typeof import('./compare-lines.ts')>('./compare-lines.ts', file, plant);
    const changed = [...beliefs].flatMap(([line, belief]) => {
      const isChanged =
        planted.isAllowedLine(line, 'bash') && JSON.stringify(planted.readBelief(line, 'bash')) !== belief;
      return isChanged ? [line] : [];
    });
    const run = changed.slice(0, MAX_RUN);
    const command = `${bash} --noprofile --norc -p`;
    expect(await planted.findDifferences('bash', command, 'bash', run, isHarmlessSetting)).not.toEqual([]);
  });

  it.each(EFFECTS)('is found by what real programs do: %s, %s', { timeout: TIMEOUT_MS }, async (file, _bug, plant) => {
    const policies = { default: policyFor(folder, 'default'), acceptEdits: policyFor(folder, 'acceptEdits') };
    const planted = await withBug<typeof import('./effects.ts')>('./effects.ts', file, plant);
    const skips = (line: string, mode: EffectMode): boolean => {
      const isKnown = known.get(`${mode} ${line}`) ?? isAllowed(policies[mode], line);
      known.set(`${mode} ${line}`, isKnown);
      return isKnown;
    };
    expect(planted.findEffects({ folder, seed: SEED, lines: LINES, skips }).wrong).not.toEqual([]);
  });
});

/** Imports a file of this folder with a bug in the policy below it. */
async function withBug<Module>(module: string, file: string, plant: Plant): Promise<Module> {
  vi.resetModules();
  vi.doMock(`../src/${file}`, async (importActual) => {
    const actual = await importActual<Actual>();
    return { ...actual, ...plant(actual) };
  });
  try {
    return (await import(module)) as Module;
  } finally {
    vi.doUnmock(`../src/${file}`);
  }
}

function withBuiltins(actual: typeof BuiltinsModule.BUILTINS): typeof BuiltinsModule.BUILTINS {
  const { echo } = actual;
  return echo === undefined ? actual : { ...actual, eval: echo, export: echo, read: echo };
}
