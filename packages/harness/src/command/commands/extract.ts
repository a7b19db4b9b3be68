import { findDescription } from '@parley/adapters/command';
import { type CommandContext, Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import { rawResult } from '../../formats/pipeline.ts';
import { extract } from '../../pipeline/extract.ts';
import { addStageFlags, readInput, runStage, type StageFlags } from '../pipeline/stage.ts';

interface ExtractFlags extends StageFlags {
  readonly schema?: string;
}

/** `parley eval extract`: what the lines of a command say. */
export function configure(command: Command, context: CommandContext): void {
  addStageFlags(command)
    .usage('[options] [raw]')
    .argument('[raw]', 'what run wrote; stdin unless given')
    .option('-s, --schema <description>', 'how the lines are read; without it they are the answer')
    .addHelpText(
      'after',
      '\nThe raw lines stay in the results.\n\nExample:\n  parley eval extract raw.jsonl -s claude -o extracted.jsonl',
    )
    .action(async (file: string | undefined, flags: ExtractFlags) => {
      const description =
        flags.schema === undefined ? undefined : (await findDescription(flags.schema, context)).description;
      const work = async function* () {
        for await (const { value } of readInput(file, rawResult, context)) {
          const extracted = extract(value, description);
          yield { name: `${value.id}: ${extracted.trajectory.length} steps`, value: extracted };
        }
      };
      throw new Exit(await runStage({ flags, work }, context));
    });
}
