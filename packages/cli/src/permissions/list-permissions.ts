import { PERMISSION_MODES } from '@parley/policy/modes';
import { formatTable } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { BUILT_IN_ALLOW, requireMode } from './choose-permissions.ts';
import { createRememberedFile, rememberedFile } from './remembered-file.ts';

/** Prints the mode, the rules that hold here and every answer "always". */
export async function listPermissions(
  { json = false }: { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { config, places } = await loadConfig(context);
  const { permissions = {} } = config;
  const remembered = await createRememberedFile(rememberedFile(places)).all();
  const mode = requireMode(permissions.mode ?? 'default');
  if (json) {
    const facts = { schema: 1, mode, builtIn: { allow: BUILT_IN_ALLOW }, rules: permissions, remembered };
    return void context.stdout.write(`${JSON.stringify(facts)}\n`);
  }
  const { description } = PERMISSION_MODES[mode];
  const rules = [
    ['', 'mode', permissions.mode === undefined ? 'built in' : 'settings', `${mode}: ${description}`],
    ...(['deny', 'ask', 'allow'] as const).flatMap((effect) =>
      (permissions[effect] ?? []).map((rule) => ['', effect, 'rule', rule]),
    ),
    ...BUILT_IN_ALLOW.map((rule) => ['', 'allow', 'built in', rule]),
  ];
  const answers = remembered.map(({ id, effect, scope, belongsTo, agent, folder, shown }) => [
    id.slice(0, SHOWN_ID_CHARACTERS),
    effect,
    [scope, belongsTo, agent && `of ${agent}`, folder && `in ${folder}`].filter(Boolean).join(' '),
    shown,
  ]);
  context.stdout.write(formatTable([...rules, ...answers]));
  if (answers.length === 0) context.stderr.write('nothing was answered with "always"\n');
}

const SHOWN_ID_CHARACTERS = 8;
