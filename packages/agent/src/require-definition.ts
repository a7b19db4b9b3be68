import type { OptionDefinition } from './contract/settings.ts';
import { AgentDefinitionError } from './errors.ts';
import { isSelect, MODE_OPTION_ID, valuesOf } from './session/settings.ts';

/** Content of an agent's own, by a name that the specification leaves to agents. */
export function requireContentType(type: string): string {
  if (type.startsWith('_')) return type;
  throw new AgentDefinitionError(`"${type}" is not a name for content of your own; those begin with "_".`);
}

/** A method of an agent's own. */
export function requireExtension(method: string): void {
  if (!method.startsWith('_')) {
    throw new AgentDefinitionError(`"${method}" is not a name for a method of your own; those begin with "_".`);
  }
}

/** Refuses an option that could not be shown, or would hide another. */
export function requireOption(option: OptionDefinition, others: readonly OptionDefinition[]): void {
  if (option.id === MODE_OPTION_ID) {
    throw new AgentDefinitionError('The option "mode" stands for the modes; register them with .mode().');
  }
  requireNew('option', option.id, others);
  if (!isSelect(option)) return;
  const values = valuesOf(option);
  if (values.length === 0) throw new AgentDefinitionError(`The option "${option.id}" needs at least one value.`);
  if (option.default === undefined || values.includes(option.default)) return;
  throw new AgentDefinitionError(`The default of option "${option.id}" is none of its values: ${values.join(', ')}.`);
}

export function requireNew(what: string, id: string, others: readonly { readonly id: string }[]): void {
  if (id === '') throw new AgentDefinitionError(`A ${what} needs an id.`);
  if (others.some((other) => other.id === id)) {
    throw new AgentDefinitionError(`There is already a ${what} "${id}"; each needs its own id.`);
  }
}
