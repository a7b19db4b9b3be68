import { usageError } from '@parley/host/command-line';
import { findOffer } from '@parley/models/discovery';
import type { Config } from '../config/config.ts';
import { changeConfigFile } from '../config/config-file.ts';
import type { CliContext } from '../context.ts';
import { type FindModelsOptions, findModels } from './find-models.ts';

/** Writes down the model that new sessions begin with, by its whole name. */
export async function setModel(
  name: string,
  { json = false, ...options }: FindModelsOptions & { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const { offers, loaded } = await findModels(options, context);
  const match = findOffer(offers, name);
  if (match.kind === 'several') {
    const ids = match.items.map(({ id }) => `  ${id}`).join('\n');
    throw usageError(`"${name}" may mean:\n${ids}`, `parley models set ${match.items[0]?.id}`);
  }
  if (match.kind === 'none') throw usageError(`No model within reach is called "${name}".`, 'parley models');
  const { id, name: title } = match.item;
  const { config: path } = loaded.places;
  await changeConfigFile(path, (config: Config = {}) => ({ ...config, model: id }));
  context.stdout.write(json ? `${JSON.stringify({ schema: 1, model: id, path })}\n` : `model is ${id} (${title})\n`);
  if (context.env.PARLEY_MODEL) context.stderr.write('PARLEY_MODEL is set, too; the setting goes before it.\n');
}
