// A gateway as a program of its own, on its stdin and stdout: the store's file, and the agent as a command line.
import { agentAt } from '@parley/client/node';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';
import { hostAgent } from '../../src/index.ts';

const [, , path = '', command = ''] = process.argv;
const hosted = hostAgent(agentAt(command), { store: sqliteStore({ path }), onDiagnostic: () => {} });
await hosted.serve(ownStdio());
await hosted.close();
process.exit(0);
