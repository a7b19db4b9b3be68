export type { NetworkAgent } from '../../network/dial-options.ts';
export { NetworkError, type NetworkErrorKind } from '../../network/network-error.ts';
export type { NodeWebSocketOptions } from './node-web-socket-options.ts';
export { webSocketAgent } from './web-socket-agent.ts';
