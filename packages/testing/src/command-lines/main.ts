// The child process of `buildCommandLines`: its first argument says which program it imitates, the others are that program's.
import { type CommandLineOptions, runCommandLine } from './run-command-line.ts';

const [, , options = '{}', ...argv] = process.argv;
process.exitCode = await runCommandLine(JSON.parse(options) as CommandLineOptions, argv);
// A child that was left behind holds our pipes open, not us.
process.stdout.write('', () => process.exit());
