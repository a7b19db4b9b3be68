// Parley's own coding agent on stdio, as an editor would start it.
import { createCodingAgent } from '@parley/coding-agent';
import { ownStdio } from '@parley/transports/stdio';

await createCodingAgent().serve(ownStdio());
