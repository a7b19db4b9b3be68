import { readFile } from 'node:fs/promises';
import { CliError } from '@parley/host/command-line';
import { settingsPath } from '@parley/host/places';
import type { ModelSettings, ProviderSettings, ProvidersSettings } from '@parley/models/discovery';
import type { ProviderConfig } from '../config/provider-keys.ts';
import type { CliContext } from '../context.ts';
import type { Places } from '../places.ts';

/** The providers of the settings, with their keys. A file that cannot be read is told, since nothing works without it. */
export async function readProviders(
  providers: Readonly<Record<string, ProviderConfig>>,
  { config }: Places,
  env: CliContext['env'],
): Promise<ProvidersSettings> {
  const read = await Promise.all(
    Object.entries(providers).map(async ([name, { keyFile, models, ...provider }]) => {
      const apiKey = keyFile === undefined ? undefined : await readKey(name, settingsPath(keyFile, { config, env }));
      const settings: ProviderSettings = {
        ...provider,
        ...(models && { models: describeModels(models) }),
        ...(apiKey !== undefined && { apiKey }),
      };
      return [name, settings] as const;
    }),
  );
  return Object.fromEntries(read);
}

function describeModels(models: NonNullable<ProviderConfig['models']>): Readonly<Record<string, ModelSettings>> {
  return Array.isArray(models)
    ? Object.fromEntries(models.map((model: string) => [model, {}]))
    : (models as Readonly<Record<string, ModelSettings>>);
}

async function readKey(name: string, path: string): Promise<string> {
  const says = `The key of the provider "${name}"`;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('settings_invalid', `${says} cannot be read from ${path}: ${error.code ?? error.message}`, {
      cause: error,
      next: ['parley config edit'],
    });
  });
  if (text.trim() === '') throw new CliError('settings_invalid', `${says} is missing: ${path} is empty.`);
  return text.trim();
}
