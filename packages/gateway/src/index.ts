export {
  type Gateway,
  type GatewayListener,
  type GatewayListenOptions,
  type GatewayOptions,
  type GatewayServeOptions,
  gateway,
} from './gateway.ts';
export type { ProcessSharing } from './host/foreign/agent-processes.ts';
export { type HostedAgent, type HostedProcess, hostAgent } from './host/host-agent.ts';
export type { HostOptions } from './host/host-options.ts';
export type { ClientListener } from './serve-all.ts';
