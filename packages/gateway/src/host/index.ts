export { hostAgent } from './host-agent.ts';
export type { EmbeddedOptions, HostOptions } from './host-options.ts';
export type { HostedAgent, HostedProcess } from './hosted-agent.ts';
