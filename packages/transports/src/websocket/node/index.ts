export type { NetworkAgent } from '../../network/dial-options.ts';
export { NetworkError, type NetworkErrorKind } from '../../network/network-error.ts';
export type { NodeWebSocketOptions } from './dial.ts';
export { webSocketAgent } from './web-socket-agent.ts';
