import { type CommandContext, readNumber } from '@parley/host/command-line';
import type { Command } from 'commander';
import { readCases } from '../../runs/read-cases.ts';
import { analyseBalance, formatBalance } from '../../views/balance.ts';
import { openInput } from '../view/results-input.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface BalanceFlags {
  readonly by?: string;
  /** The name that it has in other harnesses. */
  readonly key?: string;
  readonly threshold?: string;
  readonly markdown?: boolean;
  readonly output?: string;
}

/** `parley eval balance`: how cases are spread over categories. */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('How the cases are spread over categories, and what to do about it.')
    .usage('[options] [cases]')
    .argument('[cases]', 'JSON lines of cases; stdin unless given')
    .option('-b, --by <field>', 'field of metadata that names the category; a.b leads deeper (category)')
    .addOption(command.createOption('-k, --key <field>', 'as --by').hideHelp())
    .option('--threshold <percent>', 'few is less than this share of an even spread (50)')
    .option('-m, --markdown', 'for people')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', '\nExample:\n  parley eval balance cases.jsonl --by difficulty -m')
    .action((cases: string | undefined, flags: BalanceFlags) =>
      withExplanation(async () => {
        const { source, options } = openInput(cases, 'parley eval balance cases.jsonl', context);
        const by = flags.by ?? flags.key;
        const threshold = readNumber('--threshold', flags.threshold, { least: 0, most: 100 });
        const found = await analyseBalance(readCases(source, options), {
          ...(by !== undefined && { by }),
          ...(threshold !== undefined && { threshold }),
        });
        const text = flags.markdown ? formatBalance(found) : `${JSON.stringify(found, null, 2)}\n`;
        await writeText([text], { output: flags.output, inputs: [source] }, context);
      }),
    );
}
