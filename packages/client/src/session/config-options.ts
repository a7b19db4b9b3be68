import type { SessionConfigOption, SessionConfigSelectGroup, SessionConfigSelectOption } from '@parley/protocol';
import { UsageError } from '../errors.ts';
import type { SessionSettings } from '../peer/agent-peer.ts';

/** Throws unless the option exists and takes the value; the message lists what it does take. */
export function requireChoice(
  options: readonly SessionConfigOption[],
  optionId: string,
  value: string | boolean,
): void {
  const option = options.find(({ id }) => id === optionId);
  if (!option) {
    const known = options.map(({ id }) => id).join(', ') || 'no options';
    throw new UsageError('unknown_choice', `The agent has no option "${optionId}"; it has ${known}.`);
  }
  if (option.type === 'boolean') {
    if (typeof value === 'boolean') return;
    throw new UsageError('unknown_choice', `Option "${optionId}" is either true or false.`);
  }
  const values = listValues(option).map((choice) => choice.value);
  if (typeof value === 'string' && values.includes(value)) return;
  throw new UsageError('unknown_choice', `Option "${optionId}" cannot be "${value}"; it takes ${values.join(', ')}.`);
}

/** The values of a select option, whether or not they are in groups. */
export function listValues(option: SessionConfigOption): readonly SessionConfigSelectOption[] {
  if (option.type !== 'select') return [];
  const choices = option.options as readonly (SessionConfigSelectOption | SessionConfigSelectGroup)[];
  return choices.flatMap((choice) => ('options' in choice ? choice.options : [choice]));
}

/** The modes of a session whose mode is one of its options; undefined where none of them is. */
export function modesFromOptions(options: readonly SessionConfigOption[]): SessionSettings['modes'] {
  const option = options.find(({ category }) => category === 'mode');
  if (option?.type !== 'select') return undefined;
  const availableModes = listValues(option).map(({ value, name, description }) => ({
    id: value,
    name,
    ...(description != null && { description }),
  }));
  return { currentModeId: option.currentValue, availableModes };
}
