import { type CommandContext, requireChoice } from '@parley/host/command-line';
import type { Command } from 'commander';
import { readResults } from '../../compare/runs/read-results.ts';
import { FORMAT_STYLES, formatResults } from '../../views/format-results.ts';
import { openInput } from '../view/results-input.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

/** `parley eval format`: the end of the pipeline. */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('Results as JSON lines, Markdown or CSV: the end of the pipeline.')
    .usage('[options] [results]')
    .argument('[results]', 'what capture, trials, extract or grade wrote; stdin unless given')
    .option('-f, --style <style>', 'jsonl, markdown or csv (jsonl)')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', HELP)
    .action(async (results: string | undefined, flags: { readonly style?: string; readonly output?: string }) => {
      const style = requireChoice('--style', flags.style ?? 'jsonl', FORMAT_STYLES);
      const { source, options } = openInput(results, 'parley eval format results.jsonl --style csv', context);
      const pieces = formatResults(readResults(source, options), style);
      await withExplanation(() => writeText(pieces, { output: flags.output, inputs: [source] }, context));
    });
}

const HELP = `
In CSV a text that a spreadsheet would take for a formula begins with '.

Examples:
  parley eval format results.jsonl --style csv -o results.csv
  parley eval run cases.jsonl -s claude | parley eval extract -s claude |
    parley eval grade -g grade.py | parley eval format --style markdown`;
