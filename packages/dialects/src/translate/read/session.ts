import { RpcError } from '@parley/jsonrpc';
import { type Fields, isRecord, rename, without } from '../../fields.ts';
import type { TranslationContext } from '../context.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { isElephantMode, mapModeIds, readModeId, unknownMode } from '../modes.ts';
import { note } from '../state.ts';
import { readContentBlocks } from './content.ts';
import { readMcpServers } from './mcp-servers.ts';

export function readNewSession(params: Fields): Fields {
  return { ...params, mcpServers: readMcpServers(params.mcpServers) };
}

/** S0:260 and S4:254 load a session by its id alone; where it works is known from its beginning, or asked for. */
export function readLoadSession(params: Fields, { session }: TranslationContext): Fields | RpcError {
  const { sessionId } = params;
  if (params.cwd !== undefined) return readNewSession(params);
  const { cwd } = session;
  if (cwd === undefined) {
    return new RpcError(-32002, 'Unknown session: its working directory is not known here.', { sessionId });
  }
  return { ...params, cwd, mcpServers: readMcpServers(params.mcpServers ?? session.mcpServers) };
}

/** S4:182 tells modes once per agent; each session's result gets them. */
export function readSessionResult(result: Fields, { session, state }: TranslationContext): Fields {
  if (isRecord(result.modes)) {
    return { ...result, modes: mapModeIds(result.modes, (modeId) => readModeId(modeId, state.options)) };
  }
  const [first] = state.agentModes;
  if (!first || (result.modes !== undefined && result.modes !== null)) return result;
  const currentModeId = session.modes?.currentModeId ?? first.id;
  const modes = mapModeIds({ currentModeId, availableModes: state.agentModes }, (modeId) =>
    readModeId(modeId, state.options),
  );
  return keepFacts({ ...result, modes }, { derived: ['modes'] });
}

export function readPrompt(params: Fields): Fields {
  return readContentBlocks(params, 'prompt');
}

export function readSetMode(params: Fields, { session, state }: TranslationContext): Fields | RpcError {
  const modeId = readModeId(params.modeId, state.options);
  if (state.choice.dialect === 'elephant' && !isElephantMode(modeId, session)) return unknownMode(modeId);
  return modeId === params.modeId ? params : { ...params, modeId };
}

/** S4:278 names the option `option` and gives booleans without their tag. */
export function readSetConfigOption(params: Fields): Fields | RpcError {
  const renamed = restore(rename(params, 'option', 'configId'));
  const { value } = renamed;
  if (typeof value === 'string') return renamed;
  if (typeof value === 'boolean') return { ...renamed, type: 'boolean' };
  if (typeof value === 'number') return keepFacts({ ...renamed, value: String(value) }, { value });
  return RpcError.invalidParams('value: expected a string, a boolean or a number');
}

/** S4:1195 answers null; the complete list comes from what was heard before. */
export function readSetConfigOptionResult(result: Fields, { request, session }: TranslationContext): Fields {
  if (result.configOptions !== undefined) return result;
  const { configId, value } = request.params;
  const configOptions = session.configOptions.map((option) =>
    isRecord(option) && option.id === configId ? { ...option, currentValue: value } : option,
  );
  return { ...result, configOptions };
}

/** S4:1028 sends secrets with `authenticate`. They never enter a canonical message. */
export function readAuthenticate(params: Fields, { state }: TranslationContext): Fields {
  const { credentials, methodId } = params;
  if (credentials === undefined) return params;
  const { takeCredentials } = state.options;
  if (takeCredentials && typeof methodId === 'string') takeCredentials(methodId, credentials);
  else note(state, 'D19', 'Credentials in authenticate were dropped; set takeCredentials to receive them.');
  return without(params, 'credentials');
}
