import type { AuthMethod, McpServer, SessionConfigSelectGroup, SessionConfigSelectOption } from '@parley/protocol';
import type {
  AuthMethod as V2AuthMethod,
  AvailableCommand as V2Command,
  AvailableCommandInput as V2CommandInput,
  SessionConfigSelectGroup as V2Group,
  McpServer as V2McpServer,
  SessionConfigOption as V2Option,
} from '@parley/protocol/v2';
import type { Command, ConfigOption } from '../parts.ts';

// What a session and an agent let be chosen. In all of these a kind that nobody here knows is kept as it is, under its own `type`.

type Fields = Readonly<Record<string, unknown>>;

/** Version 2 has no select and no group without values: there is nothing to choose in them. */
export function configOptionsToV2(options: readonly ConfigOption[]): V2Option[] {
  return options.flatMap(({ id, ...option }): V2Option[] => {
    if (option.type !== 'select') return [{ configId: id, ...option } as V2Option];
    const values = valuesToV2(option.options);
    return values.length === 0 ? [] : [{ configId: id, ...option, options: values }];
  });
}

type Values = readonly (SessionConfigSelectOption | SessionConfigSelectGroup)[];

function valuesToV2(values: Values): SessionConfigSelectOption[] | V2Group[] {
  const groups = values.filter((value) => 'group' in value);
  if (groups.length === 0) return values as SessionConfigSelectOption[];
  return groups.filter(({ options }) => options.length > 0).map(({ group, ...rest }) => ({ groupId: group, ...rest }));
}

export function configOptionsFromV2(options: readonly V2Option[]): ConfigOption[] {
  return options.map(({ configId, ...option }) => {
    if (option.type !== 'select') return { id: configId, ...option } as unknown as ConfigOption;
    const { options: values, ...rest } = option as Extract<V2Option, { readonly type: 'select' }>;
    return { id: configId, ...rest, options: valuesFromV2(values) };
  });
}

function valuesFromV2(
  values: readonly (SessionConfigSelectOption | V2Group)[],
): SessionConfigSelectOption[] | SessionConfigSelectGroup[] {
  const groups = values.filter((value) => 'groupId' in value);
  if (groups.length === 0) return values as SessionConfigSelectOption[];
  return groups.map(({ groupId, ...rest }) => ({ group: groupId, ...rest }));
}

export function commandsToV2(commands: readonly Command[]): V2Command[] {
  return commands.map(({ input, ...command }) => ({
    type: 'command',
    ...command,
    ...(input !== undefined && { input: input && { type: 'text', ...input } }),
  }));
}

export function commandsFromV2(commands: readonly V2Command[]): Command[] {
  return commands.map((each) => {
    if (each.type !== 'command') return each as Command;
    const { type: _, input, ...command } = each as Extract<V2Command, { readonly type: 'command' }>;
    return { ...command, ...(input !== undefined && { input: input && inputFromV2(input) }) };
  });
}

/** An input of another kind than text has no hint to show. */
function inputFromV2({ type, ...input }: V2CommandInput): NonNullable<Command['input']> {
  if (type === 'text') return input as NonNullable<Command['input']>;
  const kept = { hint: '', ...input, type };
  return kept as NonNullable<Command['input']>;
}

/** Version 2 names the environment of a login in a terminal as a list, version 1 as a map. */
export function authMethodsToV2(methods: readonly AuthMethod[]): V2AuthMethod[] {
  return methods.map((each) => {
    const { id, ...method } = each;
    if (!('type' in method)) return { type: 'agent', methodId: id, ...method };
    if (method.type !== 'terminal') return { methodId: id, ...(method as Fields) } as V2AuthMethod;
    const { env, ...terminal } = method;
    const list = env && Object.entries(env).map(([name, value]) => ({ name, value }));
    return { methodId: id, ...terminal, ...(list && { env: list }) };
  });
}

export function authMethodsFromV2(methods: readonly V2AuthMethod[]): AuthMethod[] {
  return methods.map((each) => {
    const { methodId: id, ...method } = each;
    if (method.type === 'terminal') {
      const { env, ...terminal } = method as Omit<Extract<V2AuthMethod, { readonly type: 'terminal' }>, 'methodId'>;
      return { id, ...terminal, ...(env && { env: Object.fromEntries(env.map(({ name, value }) => [name, value])) }) };
    }
    if (method.type !== 'agent') return { id, ...method } as AuthMethod;
    const { type: _, ...agent } = method;
    return { id, ...agent } as AuthMethod;
  });
}

/** Version 2 has no word for servers over SSE: they are left out, and `mcpSse` of its offers is false so that they are refused before. */
export function mcpServersToV2(servers: readonly McpServer[]): V2McpServer[] {
  return servers.flatMap((server): V2McpServer[] => {
    if (!('type' in server)) return [{ type: 'stdio', ...server }];
    return server.type === 'sse' ? [] : [server];
  });
}

export function mcpServersFromV2(servers: readonly V2McpServer[]): McpServer[] {
  return servers.map((each) => {
    if (each.type === 'http') return { headers: [], ...each } as McpServer;
    if (each.type !== 'stdio') return each as unknown as McpServer;
    const { type: _, ...stdio } = each as Extract<V2McpServer, { readonly type: 'stdio' }>;
    return { args: [], env: [], ...stdio };
  });
}
