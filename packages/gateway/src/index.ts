export type { Caps, CapsSetting } from './caps/caps.ts';
export type { GatewayEvent } from './events/gateway-event.ts';
export { gateway } from './gateway.ts';
export type {
  AgentState,
  Gateway,
  GatewayListener,
  GatewayListenOptions,
  GatewayOptions,
  GatewayServeOptions,
  GatewayState,
} from './gateway-options.ts';
export type { ProcessSharing } from './host/foreign/agent-processes.ts';
export { hostAgent } from './host/host-agent.ts';
export type { HostOptions } from './host/host-options.ts';
export type { HostedAgent, HostedProcess } from './host/hosted-agent.ts';
export type { ClientListener } from './serve-all.ts';
export type { GatewaySession, SessionChange, SessionsPage, SessionsQuery } from './sessions/gateway-session.ts';
export type { TrafficBatch, TrafficEntry, TrafficOptions, TrafficQuery } from './traffic/traffic-options.ts';
