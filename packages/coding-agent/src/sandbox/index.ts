export type { SandboxSetting } from './choose-sandbox.ts';
export type { Confine, ConfineOptions, Program, SandboxProfile } from './confine.ts';
export { type AllowList, type AllowListOptions, createAllowList } from './network/allow-list.ts';
export { type OpenSandboxOptions, openSandbox, type SandboxState } from './open-sandbox.ts';
