export type { NetworkAgent } from '../network/dial-options.ts';
export { NetworkError, type NetworkErrorKind } from '../network/network-error.ts';
export { type HttpOptions, httpAgent, postAgent } from './http-agent.ts';
