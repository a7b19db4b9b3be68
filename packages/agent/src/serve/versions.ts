import type { InitializeRequest, InitializeResponse } from '@parley/protocol/initialize';
import type { AgentDefinition } from '../definition.ts';
import { answerInitialize } from '../peer/v1/capabilities.ts';
import type { Service, ServiceOptions } from './service.ts';

/** One version of the protocol, as agents serve it. What answers `initialize` is here; the rest is loaded behind the answer. */
export interface ServedVersion {
  readonly version: number;
  readonly answerInitialize: (definition: AgentDefinition, request: InitializeRequest) => InitializeResponse;
  /** Notifications of the version that may come before the rest of it is loaded. */
  readonly notifications: (definition: AgentDefinition) => readonly string[];
  readonly load: () => Promise<{ readonly serve: (options: ServiceOptions) => Service }>;
}

/** Oldest first. */
const VERSIONS: readonly [ServedVersion, ...ServedVersion[]] = [
  {
    version: 1,
    answerInitialize,
    notifications: ({ isUnstable }) => ['session/cancel', ...(isUnstable ? ['mcp/message'] : [])],
    load: () => import('../peer/v1/serve.ts'),
  },
];

/** The latest version that is not above what the client asks for; where there is none, the latest of all. */
export function chooseVersion({ protocolVersion }: InitializeRequest): ServedVersion {
  const spoken = VERSIONS.filter(({ version }) => version <= protocolVersion);
  return spoken.at(-1) ?? VERSIONS.at(-1) ?? VERSIONS[0];
}
