// The smallest agent on the official SDK: what its start and its memory at rest are measured on.
import { startAgent } from '../kinds/sdk.mjs';

await startAgent({ onPrompt() {} });
process.exit(0);
