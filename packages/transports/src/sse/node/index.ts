export type { NetworkAgent } from '../../network/dial-options.ts';
export { NetworkError, type NetworkErrorKind } from '../../network/network-error.ts';
export { type NodeSseOptions, sseAgent } from './sse-agent.ts';
