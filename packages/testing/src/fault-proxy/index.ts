export type { ConnectFault, Fault, FaultKind, Moment, Way, WireFault } from './fault.ts';
export { type FaultProxy, type FaultProxyOptions, type FaultProxyStats, startFaultProxy } from './fault-proxy.ts';
export type { ProxiedConnection } from './proxied-connection.ts';
export { type RandomFaultsOptions, randomFaults } from './random-faults.ts';
