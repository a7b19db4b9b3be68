import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** Longer terms have a line of their own: what they mean then stands below, and fits into 80 columns. */
const MAX_TERM_COLUMNS = 24;

/** How help is laid out. The flags that all commands share would hide the commands, so the program itself leaves them out. */
export function formatHelp(command: Command, helper: Help): string {
  helper.padWidth = (shown, by) => Math.min(MAX_TERM_COLUMNS, Help.prototype.padWidth.call(helper, shown, by));
  helper.formatItem = (term, width, description, by) => {
    const item = Help.prototype.formatItem.bind(helper);
    return term.length <= width || description === ''
      ? item(term, width, description, by)
      : `  ${term}\n${item('', width, description, by)}`;
  };
  if (!command.parent) {
    helper.visibleOptions = (shown) =>
      Help.prototype.visibleOptions.call(helper, shown).filter((option) => groupOf(option) === undefined);
  }
  const showsShared = helper.showGlobalOptions;
  helper.showGlobalOptions = false;
  const help = Help.prototype.formatHelp.call(helper, command, helper);
  helper.showGlobalOptions = showsShared;
  return showsShared ? `${help}\n${formatShared(command, helper)}` : help;
}

/** For commands that talk to an agent: the flags that all of them share are shown too, in their groups. */
export const HELP_WITH_SHARED_FLAGS: HelpConfiguration = { formatHelp, showGlobalOptions: true };

function formatShared(command: Command, helper: Help): string {
  const options = helper.visibleGlobalOptions(command).filter((option) => groupOf(option) !== undefined);
  const width = helper.padWidth(command, helper);
  return [...new Set(options.map(groupOf))]
    .map((group) => {
      const items = options
        .filter((option) => groupOf(option) === group)
        .map((option) => helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper));
      return `${group}\n${items.join('\n')}\n`;
    })
    .join('\n');
}

function groupOf({ helpGroupHeading }: Option): string | undefined {
  return helpGroupHeading;
}
