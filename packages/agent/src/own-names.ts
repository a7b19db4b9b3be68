import { AgentDefinitionError } from './errors.ts';

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
