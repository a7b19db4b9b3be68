// The child process of `buildScriptedAgent`: its only argument is the script as JSON.
import { runScript } from './run-script.ts';
import type { AgentScript } from './script.ts';

runScript(JSON.parse(process.argv[2] ?? '{}') as AgentScript);
