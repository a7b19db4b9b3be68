import { RpcError } from '@parley/jsonrpc';
import type { InitializeRequest } from '@parley/protocol/initialize';
import type { AgentDefinition } from '../contract/definition.ts';
import { answerInitialize } from '../peer/v1/capabilities.ts';
import type { Service, ServiceOptions } from '../service/service.ts';

/** The first request of a client: as every version can read it, and as it came. */
export interface AskedInitialize {
  readonly initialize: InitializeRequest;
  readonly params: unknown;
  /** Whether a client that is cut off finds its turns again; it is told by which key it asks for numbers of events. */
  readonly mayReturn: boolean;
}

/** One version of the protocol, as agents serve it. What answers `initialize` in version 1 is here; the rest is loaded when it is needed. */
export interface ServedVersion {
  readonly version: number;
  /** Refuses request ids that are null or fractional. */
  readonly hasStrictIds: boolean;
  /** Whether a client may introduce itself again before it asks for anything else. */
  readonly isRepeatable: boolean;
  /** Returns a promise where it must be loaded first. */
  readonly answerInitialize: (definition: AgentDefinition, asked: AskedInitialize) => object | Promise<object>;
  /** Notifications of the version that may come before the rest of it is loaded. */
  readonly notifications: (definition: AgentDefinition) => readonly string[];
  readonly load: () => Promise<{ readonly serve: (options: ServiceOptions) => Service }>;
}

const notifications = ({ isUnstable }: AgentDefinition): readonly string[] => [
  'session/cancel',
  ...(isUnstable ? ['mcp/message'] : []),
];

/** Oldest first. */
const VERSIONS: readonly ServedVersion[] = [
  {
    version: 1,
    hasStrictIds: false,
    isRepeatable: false,
    answerInitialize: (definition, asked) => answerInitialize(definition, asked),
    notifications,
    load: () => import('../peer/v1/serve.ts'),
  },
  {
    version: 2,
    hasStrictIds: true,
    isRepeatable: true,
    answerInitialize: async (definition, asked) =>
      (await import('../peer/v2/serve.ts')).answerInitialize(definition, asked),
    notifications,
    load: () => import('../peer/v2/serve.ts'),
  },
];

const UNSUPPORTED_VERSION = -32022;

/** The latest version of the agent that is not above the requested one. */
export function chooseVersion(
  { protocolVersion: requested }: InitializeRequest,
  { latestVersion }: Pick<AgentDefinition, 'latestVersion'>,
): ServedVersion {
  const served = VERSIONS.filter(({ version }) => version <= latestVersion);
  const chosen = served.findLast(({ version }) => version <= requested);
  if (chosen) return chosen;
  const supported = served.map(({ version }) => version);
  const message = `This agent speaks version ${supported.join(' and ')} of the protocol, and nothing below; it was asked for ${requested}.`;
  throw new RpcError(UNSUPPORTED_VERSION, message, { requested, supported });
}
