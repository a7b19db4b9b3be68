import type { ProtocolVersion } from './protocol-version.ts';
import { V1 } from './v1/v1-peer.ts';

/** The versions of ACP that this client speaks, the one it prefers first. `initialize` chooses among them. */
export const VERSIONS: readonly [ProtocolVersion, ...ProtocolVersion[]] = [V1];
