import { asJson, type Json, listAt, textAt } from './wires/wire.ts';

/** Rules that every provider has, whatever its words. */
export function findCommonFault(body: Json): string | undefined {
  if (hasLoneSurrogate(body)) return 'The request body is not valid JSON: no low surrogate in string';
  const name = toolNamesIn(body).find((each) => !/^[a-zA-Z0-9_.:-]{1,128}$/.test(each));
  return name === undefined ? undefined : `tool names must match '^[a-zA-Z0-9_-]{1,128}$', but one is "${name}"`;
}

/** Anthropic and OpenAI look at every tool of a request, and refuse all of it for one. */
export function findToolFault(schemas: readonly Json[], provider: 'anthropic' | 'openai'): string | undefined {
  const choice = schemas.some((schema) => ['oneOf', 'anyOf', 'allOf'].some((key) => key in schema));
  if (choice) return 'input_schema does not support oneOf, allOf, or anyOf at the top level';
  if (provider === 'openai') {
    const { length } = schemas;
    const tooMany = `Expected an array with maximum length ${MAX_OPENAI_TOOLS}, but got an array with length ${length} instead.`;
    if (length > MAX_OPENAI_TOOLS) return `Invalid 'tools': array too long. ${tooMany}`;
    if (schemas.some(({ properties }) => properties === undefined)) return 'object schema missing properties';
    return schemas.some(hasBareArray) ? 'array schema missing items' : undefined;
  }
  const names = schemas.flatMap(({ properties }) => Object.keys(asJson(properties)));
  return names.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
    ? undefined
    : "input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";
}

const MAX_OPENAI_TOOLS = 128;

/** A function that has no parameters may leave them out. */
export function parametersOf(functions: readonly Json[]): readonly Json[] {
  return functions.flatMap(({ parameters }) => (parameters === undefined ? [] : [asJson(parameters)]));
}

function hasBareArray(schema: Json): boolean {
  if (schema.type === 'array' && !('items' in schema)) return true;
  return Object.values(schema).some((value) => (Array.isArray(value) ? value : [value]).map(asJson).some(hasBareArray));
}

/** JSON writes a pair of surrogates as it is, and a half of one as an escape. */
function hasLoneSurrogate(body: Json): boolean {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body));
}

/** The names of calls that a history holds, in any of the four formats. */
function toolNamesIn(body: Json): readonly string[] {
  const anthropic = listAt(body, 'messages').flatMap((message) =>
    listAt(message, 'content')
      .filter(({ type }) => type === 'tool_use')
      .map((block) => textAt(block, 'name')),
  );
  const chat = listAt(body, 'messages').flatMap((message) =>
    listAt(message, 'tool_calls').map((call) => textAt(asJson(call.function), 'name')),
  );
  const responses = listAt(body, 'input')
    .filter(({ type }) => type === 'function_call')
    .map((item) => textAt(item, 'name'));
  const gemini = listAt(body, 'contents').flatMap((content) =>
    listAt(content, 'parts')
      .filter((part) => 'functionCall' in part)
      .map((part) => textAt(asJson(part.functionCall), 'name')),
  );
  return [...anthropic, ...chat, ...responses, ...gemini];
}

/**
 * Anthropic's preserved thinking: a thinking block is bound to the system text, the tools and all messages before it, so
 * a request that has it behind anything else is refused. `cache_control` does not count.
 */
export interface PrefixCheck {
  /** Remembers what the signatures of an answer are bound to. */
  bind(body: Json, signatures: readonly string[]): void;
  findFault(body: Json): string | undefined;
}

export function createPrefixCheck(): PrefixCheck {
  const bound = new Map<string, Set<string>>();
  return {
    bind(body, signatures) {
      const prefix = prefixOf(body, listAt(body, 'messages').length);
      for (const signature of signatures) bound.set(signature, (bound.get(signature) ?? new Set()).add(prefix));
    },
    findFault(body) {
      for (const [index, message] of listAt(body, 'messages').entries()) {
        for (const [at, block] of listAt(message, 'content').entries()) {
          const allowed = block.type === 'thinking' ? bound.get(textAt(block, 'signature')) : undefined;
          if (allowed === undefined || allowed.has(prefixOf(body, index))) continue;
          return `messages.${index}.content.${at}: Invalid signature in thinking block. The block is bound to a different conversation.`;
        }
      }
      return undefined;
    },
  };
}

function prefixOf(body: Json, count: number): string {
  const { system, tools } = body;
  return JSON.stringify({ system, tools, messages: listAt(body, 'messages').slice(0, count) }, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  );
}
