export { localUrl } from './listen/dialled-url.ts';
export {
  bareHost,
  DEFAULT_HOST,
  DEFAULT_PORT,
  readPlace,
  requirePort,
  requireReachable,
} from './listen/listen-place.ts';
export { readListenToken } from './listen/listen-token.ts';
export { readTls, type TlsFiles } from './listen/tls-files.ts';
export { serve } from './serve.ts';
export type { GatewayParts, ServeContext, ServerFlags } from './serve-context.ts';
export type { ServedAgent, ServedAgents } from './served-agents.ts';
export type { ServerSettings, TokenSource } from './server-settings.ts';
