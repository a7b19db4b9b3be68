#!/usr/bin/env node
// The coding agent as a program: what an editor starts.
import { takeEnvironment } from '@parley/host/secrets';
import { serveCodingAgent } from './serve-coding-agent.ts';

await serveCodingAgent({ env: takeEnvironment() });
