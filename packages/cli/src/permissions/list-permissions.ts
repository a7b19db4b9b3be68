import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { formatTable } from '../output/table.ts';
import { createRememberedFile, rememberedFile } from './remembered-file.ts';

/** Prints the rules of the settings and every answer "always". */
export async function listPermissions(
  { json = false }: { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { config, places } = await loadConfig(context);
  const { permissions = {} } = config;
  const remembered = await createRememberedFile(rememberedFile(places)).all();
  if (json) return void context.stdout.write(`${JSON.stringify({ schema: 1, rules: permissions, remembered })}\n`);
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    (permissions[effect] ?? []).map((rule) => ['', effect, 'rule', rule]),
  );
  const answers = remembered.map(({ id, effect, scope, belongsTo, agent, folder, shown }) => [
    id.slice(0, SHOWN_ID_CHARACTERS),
    effect,
    [scope, belongsTo, agent && `of ${agent}`, folder && `in ${folder}`].filter(Boolean).join(' '),
    shown,
  ]);
  if (rules.length + answers.length === 0)
    return void context.stderr.write('no rules, and nothing was answered with "always"\n');
  context.stdout.write(formatTable([...rules, ...answers]));
}

const SHOWN_ID_CHARACTERS = 8;
