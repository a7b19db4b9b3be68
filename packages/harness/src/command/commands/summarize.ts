import type { CommandContext } from '@parley/host/command-line';
import type { Command } from 'commander';
import { readResults } from '../../compare/runs/read-results.ts';
import { attemptsOf, formatSummary, summarize } from '../../views/summarize.ts';
import { openInput } from '../view/results-input.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

/** `parley eval summarize`: results in few words. */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('Results in few words, as JSON lines or Markdown.')
    .usage('[options] [results]')
    .argument('[results]', 'what capture or trials wrote; stdin unless given')
    .option('-m, --markdown', 'for people, step by step')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', HELP)
    .action(async (results: string | undefined, flags: { readonly markdown?: boolean; readonly output?: string }) => {
      const { source, options } = openInput(results, 'parley eval summarize results.jsonl', context);
      const pieces = async function* (): AsyncGenerator<string> {
        for await (const result of readResults(source, options)) {
          for (const attempt of attemptsOf(result)) {
            yield flags.markdown ? formatSummary(attempt) : `${JSON.stringify(summarize(attempt))}\n`;
          }
        }
      };
      await withExplanation(() => writeText(pieces(), { output: flags.output, inputs: [source] }, context));
    });
}

const HELP = `
Examples:
  parley eval summarize results.jsonl | jq .toolCalls
  parley eval summarize -m trials.jsonl -o trials.md`;
