import type { ClientCapabilities, InitializeRequest } from '@parley/protocol';

/** What we say that we can do, as a client. */
export type ClientProfile = 'full' | 'bare';

/** `bare` offers nothing in every way that one can offer nothing: false, null, and an object without markers. */
export const CLIENT_PROFILES: Readonly<Record<ClientProfile, ClientCapabilities>> = {
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

export function initializeParams(profile: ClientProfile): InitializeRequest {
  return {
    protocolVersion: 1,
    clientCapabilities: CLIENT_PROFILES[profile],
    clientInfo: { name: 'parley-check', title: 'Parley conformance checker', version: '0.1.0' },
  };
}
