import { v1 } from '@parley/protocol';
import { v1Unstable } from '@parley/protocol/unstable';
import { PARAMS_FIELDS, RESULT_FIELDS, UPDATE_FIELDS } from '@parley/protocol/unstable/fields';
import { CHECKER_INFO, type ClientProfile } from '../messages/client-profile.ts';
import { type Fields, fieldsOf } from '../messages/message.ts';
import type { WireWords } from './wire-words.ts';

/** `bare` offers nothing in every way that one can offer nothing: false, null, and an object without markers. */
const PROFILES: Readonly<Record<ClientProfile, Fields>> = {
  full: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
    auth: { terminal: true },
    elicitation: { form: {}, url: {} },
  },
  bare: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { compaction: null, notices: null, configOptions: { boolean: null } },
    auth: { terminal: false },
    elicitation: {},
  },
};

/** Version 1, in which a prompt is answered when its turn has ended. */
export const WORDS_1: WireWords = {
  version: 1,
  login: 'authenticate',
  logout: 'logout',
  clientCapabilities: 'clientCapabilities',
  clientInfo: 'clientInfo',
  agentInfo: 'agentInfo',
  profiles: PROFILES,
  schemas: [v1, v1Unstable],
  knownFields: { result: RESULT_FIELDS, update: UPDATE_FIELDS, params: PARAMS_FIELDS },
  initialize: (profile) => ({
    protocolVersion: 1,
    clientCapabilities: PROFILES[profile],
    clientInfo: CHECKER_INFO,
  }),
  readResult: (method, result) => v1.parseResult(method as keyof typeof v1.requests, result),
  optionValue: (value) => (typeof value === 'boolean' ? { type: 'boolean', value } : { value }),
  mcpServer: (server) => ({ ...server }),
  takesStdioServers: () => true,
  isTurnEnd: ({ value }) => 'stopReason' in fieldsOf(fieldsOf(value).result),
  toolCallOf: ({ toolCall }) => fieldsOf(toolCall).toolCallId,
};
