export type { NetworkAgent } from '../../network/dial-options.ts';
export { NetworkError, type NetworkErrorKind } from '../../network/network-error.ts';
export { httpAgent, type NodeHttpOptions, postAgent } from './http-agent.ts';
