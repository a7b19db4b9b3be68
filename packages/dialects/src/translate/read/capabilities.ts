import { type Fields, isRecord, isSameList, mapField, mapItems, rename, without } from '../../fields.ts';
import type { TranslationContext } from '../context.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { note } from '../state.ts';

/** The methods that S4:150 offers one by one, and v1 only all together. */
export const TERMINAL_METHODS = ['create', 'output', 'waitForExit', 'kill', 'release'] as const;

/** The kinds of prompt content that S2:75 lists by name. `text` is always there. */
export const PROMPT_CONTENT = ['image', 'audio', 'embeddedContext'] as const;

function readClientCapabilities(capabilities: Fields): Fields {
  const { terminal } = capabilities;
  if (!isRecord(terminal)) return capabilities;
  const isComplete = TERMINAL_METHODS.every((method) => terminal[method] === true);
  const read = { ...capabilities, terminal: isComplete };
  return isComplete && Object.keys(terminal).length === TERMINAL_METHODS.length ? read : keepFacts(read, { terminal });
}

function readAgentCapabilities(capabilities: Fields, context: TranslationContext): Fields {
  const renamed = mapField(rename(capabilities, 'mcp', 'mcpCapabilities'), 'mcpCapabilities', readMcpNames);
  const prompt = mapField(renamed, 'promptCapabilities', readPromptContent);
  return readSessionModes(
    mapField(prompt, 'mcpCapabilities', (mcp) => readTransports(mcp, context)),
    context,
  );
}

/** S2:75 lists what a prompt may contain: `content: ['text', 'image']`. */
function readPromptContent(capabilities: Fields): Fields {
  const { content } = capabilities;
  if (!Array.isArray(content)) return capabilities;
  const flags = Object.fromEntries(PROMPT_CONTENT.filter((name) => content.includes(name)).map((name) => [name, true]));
  const read = { ...without(capabilities, 'content'), ...flags };
  const usual = ['text', ...Object.keys(flags)];
  return isSameList(usual, content) ? read : keepFacts(read, { content });
}

function readMcpNames(mcp: Fields): Fields {
  return rename(rename(mcp, 'httpTransport', 'http'), 'sseTransport', 'sse');
}

/** S4:179 lists the transports: `supportedTransports: ['stdio', 'http']`. */
function readTransports(mcp: Fields, { state }: TranslationContext): Fields {
  const { supportedTransports } = mcp;
  if (!Array.isArray(supportedTransports)) return mcp;
  if (!supportedTransports.includes('stdio')) {
    note(state, 'D16', 'The agent does not list "stdio" as an MCP transport; ACP requires it, so it is used anyway.');
  }
  const flags = Object.fromEntries(
    ['http', 'sse'].filter((name) => supportedTransports.includes(name)).map((name) => [name, true]),
  );
  const read = { ...without(mcp, 'supportedTransports'), ...flags };
  const usual = ['stdio', ...Object.keys(flags)];
  return isSameList(usual, supportedTransports) ? read : keepFacts(read, { supportedTransports });
}

/** S4:182 tells the modes of the agent here; canonically they belong to each session, see `withAgentModes`. */
function readSessionModes(capabilities: Fields, { state }: TranslationContext): Fields {
  const { sessionModes } = capabilities;
  if (!Array.isArray(sessionModes)) return capabilities;
  const renamed = mapItems({ sessionModes }, 'sessionModes', (mode) =>
    isRecord(mode) ? rename(rename(mode, 'modeId', 'id'), 'title', 'name') : undefined,
  );
  state.agentModes = renamed.sessionModes as readonly Fields[];
  return keepFacts(without(capabilities, 'sessionModes'), { sessionModes });
}

/** S4:1012 names the three fields of an authentication method differently. */
function readAuthMethods(result: Fields): Fields {
  return mapItems(rename(result, 'authenticationMethods', 'authMethods'), 'authMethods', (method) =>
    isRecord(method) ? rename(rename(method, 'methodId', 'id'), 'title', 'name') : method,
  );
}

/** ACP v2 has `capabilities` and `methodId` of its own: there is nothing foreign about them. */
export function isVersion2({ protocolVersion }: Fields): boolean {
  return typeof protocolVersion === 'number' && protocolVersion >= 2;
}

export function readInitializeParams(params: Fields): Fields {
  const aliased = isVersion2(params) ? params : readCapabilitiesAlias(params, 'clientCapabilities');
  return restore(mapField(aliased, 'clientCapabilities', readClientCapabilities));
}

export function readInitializeResult(result: Fields, context: TranslationContext): Fields {
  if (isVersion2(result)) return result;
  const aliased = readCapabilitiesAlias(result, 'agentCapabilities');
  const read = mapField(aliased, 'agentCapabilities', (capabilities) => readAgentCapabilities(capabilities, context));
  return restore(readAuthMethods(read));
}

/** S2:13 draws `capabilities`. */
function readCapabilitiesAlias(fields: Fields, name: string): Fields {
  return isRecord(fields.capabilities) ? rename(fields, 'capabilities', name) : fields;
}
