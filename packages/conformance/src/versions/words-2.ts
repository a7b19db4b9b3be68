import { isRecord } from '@parley/jsonrpc/internal';
import { v2 } from '@parley/protocol/v2';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { PARAMS_FIELDS, RESULT_FIELDS, UPDATE_FIELDS } from '@parley/protocol/v2/unstable/fields';
import { CHECKER_INFO, type ClientProfile } from '../messages/client-profile.ts';
import { asUpdate, type Fields, fieldsOf } from '../messages/message.ts';
import type { WireWords } from './wire-words.ts';

/** `bare` offers nothing in every way that one can offer nothing: null, and an object without markers. */
const PROFILES: Readonly<Record<ClientProfile, Fields>> = {
  full: { auth: { terminal: {} }, elicitation: { form: {}, url: {} } },
  bare: { auth: { terminal: null }, elicitation: {} },
};

/** Version 2, in which a prompt is answered when it is part of the conversation and its turn ends with an idle state. */
export const WORDS_2: WireWords = {
  version: 2,
  login: 'auth/login',
  logout: 'auth/logout',
  clientCapabilities: 'capabilities',
  clientInfo: 'info',
  agentInfo: 'info',
  profiles: PROFILES,
  schemas: [v2, v2Unstable],
  knownFields: { result: RESULT_FIELDS, update: UPDATE_FIELDS, params: PARAMS_FIELDS },
  initialize: (profile) => ({ protocolVersion: 2, info: CHECKER_INFO, capabilities: PROFILES[profile] }),
  readResult(method, result) {
    const parsed = fieldsOf(v2.parseResult(method as keyof typeof v2.requests, result));
    // A turn is read together with its end, which the answer to a prompt does not tell.
    return { ...fieldsOf(result), ...readResult(method, parsed) };
  },
  optionValue: (value) => ({ type: typeof value === 'boolean' ? 'boolean' : 'id', value }),
  mcpServer: (server) => ('type' in server ? { ...server } : { type: 'stdio', ...server }),
  takesStdioServers: (initialized) =>
    isRecord(fieldsOf(fieldsOf(fieldsOf(fieldsOf(initialized).capabilities).session).mcp).stdio),
  isTurnEnd: (frame) => asUpdate(frame)?.kind === 'state_update' && asUpdate(frame)?.update.state === 'idle',
  toolCallOf({ subject }) {
    const { toolCall, toolCallId } = fieldsOf(subject);
    return fieldsOf(toolCall).toolCallId ?? toolCallId;
  },
};

function readResult(method: string, result: Fields): Fields {
  if (method === 'initialize') return readInitialize(result);
  return 'configOptions' in result ? { ...result, configOptions: readOptions(result.configOptions) } : result;
}

/** What an agent offers: sessions come with listing, resuming and closing, and can be told from their start. */
function readInitialize(result: Fields): Fields {
  const { session: offered } = fieldsOf(result.capabilities);
  const authMethods = Array.isArray(result.authMethods) ? result.authMethods : [];
  const session = fieldsOf(offered);
  const { image, audio, embeddedContext } = fieldsOf(session.prompt);
  const { http } = fieldsOf(session.mcp);
  const always = isRecord(offered) ? { list: {}, resume: {}, close: {} } : {};
  return {
    ...result,
    agentInfo: result.info,
    authMethods: authMethods.map((method) => ({ ...fieldsOf(method), id: fieldsOf(method).methodId })),
    agentCapabilities: {
      loadSession: isRecord(offered),
      promptCapabilities: {
        image: isRecord(image),
        audio: isRecord(audio),
        embeddedContext: isRecord(embeddedContext),
      },
      mcpCapabilities: { http: isRecord(http), sse: false },
      sessionCapabilities: {
        ...always,
        delete: session.delete,
        additionalDirectories: session.additionalDirectories,
      },
    },
  };
}

function readOptions(options: unknown): readonly Fields[] {
  return (Array.isArray(options) ? options : []).map((option) => {
    const { configId, options: values, ...rest } = fieldsOf(option);
    const grouped = (Array.isArray(values) ? values : []).map((value) => {
      const { groupId, ...group } = fieldsOf(value);
      return groupId === undefined ? group : { ...group, group: groupId };
    });
    return { ...rest, id: configId, ...(values === undefined ? {} : { options: grouped }) };
  });
}
