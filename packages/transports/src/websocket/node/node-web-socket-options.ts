import type { NodeDialOptions } from '../../network/node/node-dial-options.ts';
import type { LivenessOptions } from './liveness.ts';

export interface NodeWebSocketOptions extends NodeDialOptions, LivenessOptions {}
