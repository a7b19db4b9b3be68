import { type Fields, isRecord, mapField, mapItems, rename, without } from '../../fields.ts';
import type { DialectOptions } from '../../options.ts';
import type { MapParams, MapResult } from '../context.ts';
import { dropFacts, keep, keptFact } from '../kept-facts.ts';
import { writeModeId } from '../modes.ts';
import { TERMINAL_METHODS } from '../read/capabilities.ts';
import { isDerived } from '../read/tool-call.ts';
import { writePairMaps } from './mcp-servers.ts';

/** S4:150 offers each terminal method by itself. */
export const writeInitialize: MapParams = (params) =>
  mapField(params, 'clientCapabilities', (capabilities) => {
    const partial = keptFact(capabilities, 'terminal');
    const rest = dropFacts(without(capabilities, 'terminal'), 'terminal');
    if (isRecord(partial)) return { ...rest, terminal: partial };
    if (capabilities.terminal !== true) return rest;
    return { ...rest, terminal: Object.fromEntries(TERMINAL_METHODS.map((method) => [method, true])) };
  });

export const writeInitializeResult: MapResult = (result, { state }) => {
  const written = mapField(result, 'agentCapabilities', (capabilities) => {
    const mcp = mapField(capabilities, 'mcpCapabilities', writeTransports);
    return writeSessionModes(mcp, state.options);
  });
  return writeAuthMethods(written);
};

/** S4:179 lists the transports; `stdio` is always among them. */
function writeTransports(mcp: Fields): Fields {
  const given = ['http', 'sse'].filter((name) => mcp[name] === true);
  const kept = keptFact(mcp, 'supportedTransports');
  const isCurrent =
    Array.isArray(kept) && ['http', 'sse'].every((name) => kept.includes(name) === given.includes(name));
  const rest = dropFacts(without(mcp, 'http', 'sse'), 'supportedTransports');
  return { ...rest, supportedTransports: isCurrent ? kept : ['stdio', ...given] };
}

/** S4:182 wants the modes before there is a session; only the configuration can know them then. */
function writeSessionModes(capabilities: Fields, options: DialectOptions): Fields {
  const kept = keptFact(capabilities, 'sessionModes');
  const rest = dropFacts(capabilities, 'sessionModes');
  if (Array.isArray(kept)) return { ...rest, sessionModes: kept };
  if (!options.modes) return rest;
  const sessionModes = options.modes.map(({ id, name, description }) => ({
    modeId: writeModeId(id, options),
    title: name,
    ...(typeof description === 'string' ? { description } : {}),
  }));
  return { ...rest, sessionModes };
}

/** S4:1012 has other names, and no method that opens a terminal. */
function writeAuthMethods(result: Fields): Fields {
  const named = mapItems({ authMethods: [], ...result }, 'authMethods', (method) => {
    if (!isRecord(method)) return method;
    return method.type === 'terminal' ? undefined : rename(rename(method, 'id', 'methodId'), 'name', 'title');
  });
  return rename(named, 'authMethods', 'authenticationMethods');
}

/** S4:226 tags servers with `transport`, has maps in them, and no names. */
export const writeMcpServers: MapParams = (params) => mapItems(params, 'mcpServers', writeServer);

function writeServer(server: unknown): unknown {
  if (!isRecord(server)) return server;
  const { name, type = 'stdio', ...rest } = dropFacts(writePairMaps(server), 'derived');
  const written = { transport: type, ...rest };
  return isDerived(server, 'name') ? written : keep(written, { name });
}
