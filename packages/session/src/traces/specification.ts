const SITE = 'https://agentclientprotocol.com/';

/** Where the specification speaks of a method. */
export interface SpecificationSection {
  /** For example `protocol/v1/prompt-turn`. */
  readonly section: string;
  readonly url: string;
}

/** Sections by the beginning of a method's name, the longest first; and under what name version 2 has them. */
const SECTIONS: readonly (readonly [method: string, section: string])[] = [
  ['initialize', 'initialization'],
  ['authenticate', 'authentication'],
  ['auth/', 'authentication'],
  ['logout', 'authentication'],
  ['session/request_permission', 'tool-calls'],
  ['session/set_mode', 'session-modes'],
  ['session/set_config_option', 'session-config-options'],
  ['session/list', 'session-list'],
  ['session/delete', 'session-delete'],
  ['session/prompt', 'prompt-turn'],
  ['session/update', 'prompt-turn'],
  ['session/cancel', 'prompt-turn'],
  ['session/', 'session-setup'],
  ['tool_call/', 'tool-calls'],
  ['fs/', 'file-system'],
  ['terminal/', 'terminals'],
  ['elicitation/', 'elicitation'],
  ['$/', 'cancellation'],
  ['_', 'extensibility'],
];

/** Variants of `session/update` that have a section of their own. */
const VARIANTS: readonly (readonly [variant: string, section: string])[] = [
  ['tool_call', 'tool-calls'],
  ['plan', 'agent-plan'],
  ['available_commands', 'slash-commands'],
  ['current_mode', 'session-modes'],
  ['config_option', 'session-config-options'],
];

/** The section of the specification for a method, and for a kind of update. */
export function specificationOf(method: string, version: number, variant?: string): SpecificationSection {
  const found =
    VARIANTS.find(([prefix]) => variant?.startsWith(prefix))?.[1] ??
    SECTIONS.find(([prefix]) => method.startsWith(prefix))?.[1] ??
    'overview';
  // Version 2 tells the whole life of a prompt in one section.
  const name = version === 2 && found === 'prompt-turn' ? 'prompt-lifecycle' : found;
  const section = `protocol/v${version === 2 ? 2 : 1}/${name}`;
  return { section, url: `${SITE}${section}` };
}
