import type { McpServer, MethodSpec, NotificationSpec, RequestSpec } from '@parley/protocol';
import type { ClientProfile } from '../messages/client-profile.ts';
import type { Fields } from '../messages/message.ts';
import type { Frame } from '../messages/trace.ts';
import type { Protocol } from './protocol.ts';

/** Fields of what an agent sends, by the method or update that they belong to. */
export interface KnownFields {
  readonly result: Readonly<Record<string, readonly string[]>>;
  readonly update: Readonly<Record<string, readonly string[]>>;
  readonly params: Readonly<Record<string, readonly string[]>>;
}

/** One schema of a version: the stable one, or the one with what is unstable too. */
export interface Schema {
  readonly methods: Readonly<Record<string, MethodSpec>>;
  requestSpec(method: string): RequestSpec | undefined;
  notificationSpec(method: string): NotificationSpec | undefined;
}

/** How one version says on the wire what every version means. Checks that hold for both versions are written with it. */
export interface WireWords {
  readonly version: Protocol;
  readonly login: string;
  readonly logout: string;
  /** Where `initialize` tells what a client can do. */
  readonly clientCapabilities: string;
  /** Where `initialize` tells who the client is, and who the agent is. */
  readonly clientInfo: string;
  readonly agentInfo: string;
  readonly profiles: Readonly<Record<ClientProfile, Fields>>;
  readonly schemas: readonly Schema[];
  readonly knownFields: KnownFields;
  initialize(profile: ClientProfile): Fields;
  /** The result as checks read it, which is as version 1 has it. Throws `ValidationError` where it does not fit the schema. */
  readResult(method: string, result: unknown): unknown;
  /** The value of an option as `session/set_config_option` takes it. */
  optionValue(value: string | boolean): Fields;
  mcpServer(server: McpServer): Fields;
  /** Whether an MCP server over stdio may be passed to an agent that answered `initialize` so. */
  takesStdioServers(initialized: object): boolean;
  /** Whether a turn ended with this frame of the agent. */
  isTurnEnd(frame: Frame): boolean;
  /** The tool call that a permission request is about. */
  toolCallOf(permission: Fields): unknown;
}
