// The smallest agent on Parley's connection: what its start and its memory at rest are measured on.
import { startAgent } from '../kinds/parley-agent.mjs';

await startAgent({ onPrompt() {} });
process.exit(0);
