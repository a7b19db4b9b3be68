import { usageError } from '@parley/host/command-line';
import type { DiscoveredProvider, ModelOffer } from '@parley/models/discovery';
import { formatTable } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { type FindModelsOptions, findModels } from './find-models.ts';
import { describePrice, shortCount } from './word-model.ts';

export interface ListModelsFlags extends FindModelsOptions {
  readonly json?: boolean;
}

/** Prints the models within reach, by provider: the one that sessions begin with, windows, prices and levels of thinking. */
export async function listModels(
  part: string | undefined,
  { json = false, ...options }: ListModelsFlags,
  context: CliContext,
): Promise<void> {
  const { offers, preferred, providers, notices } = await findModels(options, context);
  const shown = part === undefined ? offers : offers.filter((offer) => isMeant(offer, part));
  if (shown.length === 0) throw usageError(`No model within reach has "${part}" in its name.`, 'parley models');
  if (json) {
    const facts = { schema: 1, default: preferred.id, models: shown.map(describe), providers, notices };
    return void context.stdout.write(`${JSON.stringify(facts)}\n`);
  }
  const rows = shown.map((offer) => [
    `${offer.id === preferred.id ? '*' : ' '} ${offer.id}`,
    offer.contextWindow === undefined ? '-' : shortCount(offer.contextWindow),
    describePrice(offer.price),
    thinkingOf(offer),
    offer.name === offer.id.slice(offer.id.indexOf('/') + 1) ? '' : offer.name,
  ]);
  const { isTTY, columns } = context.stdout;
  const width = isTTY ? { width: columns ?? 80 } : {};
  context.stdout.write(formatTable([['  model', 'window', 'in/cached/out', 'thinking', 'name'], ...rows], width));
  for (const line of [...providers.flatMap((each) => wordList(each, Date.now())), ...notices]) {
    context.stderr.write(`${line}\n`);
  }
  if (offers.length === 1) context.stderr.write(`${NO_MODEL}\n`);
}

const NO_MODEL =
  'No provider is within reach. Store a key with parley login, set one such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, describe a server under "providers" in the settings (parley config edit), or start a local server such as Ollama.';

function isMeant({ id, name }: ModelOffer, part: string): boolean {
  return [id, name].some((each) => each.toLowerCase().includes(part.toLowerCase()));
}

function thinkingOf({ thinkingLevels }: ModelOffer): string {
  if (thinkingLevels === undefined) return '-';
  return thinkingLevels.length === 0 ? 'no' : thinkingLevels.join(' ');
}

/** Where a list is not of today, the person is told how old it is. */
function wordList({ label, isSilent, listedAt }: DiscoveredProvider, now: number): readonly string[] {
  if (!isSilent) return [];
  if (listedAt === undefined) return [`${label} did not answer; these are the models that Parley knows of.`];
  const days = Math.max(0, Math.floor((now - listedAt) / (24 * 60 * 60 * 1000)));
  return [`${label} did not answer; its list is ${days === 0 ? 'of today' : `${days} days old`}.`];
}

function describe({ create: _, ...facts }: ModelOffer): object {
  return facts;
}
