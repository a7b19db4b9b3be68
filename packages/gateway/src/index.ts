export {
  type Gateway,
  type GatewayListener,
  type GatewayListenOptions,
  type GatewayOptions,
  type GatewayServeOptions,
  gateway,
} from './gateway.ts';
export { type HostedAgent, hostAgent } from './host/host-agent.ts';
export type { HostOptions } from './host/host-options.ts';
export type { ClientListener } from './serve-all.ts';
