import { danger } from '../arguments/dangers.ts';
import { readInner } from '../arguments/inner.ts';
import type { Findings, Look } from '../arguments/profile.ts';

/** Subcommands that run whatever program follows, and those that change what later runs. */
export interface Subcommands {
  /** `npm exec tsc`: the next operand is a program. */
  readonly runs?: readonly string[];
  /** Its own subcommands, where any other word may be a program: `pnpm curl` runs curl. */
  readonly own?: RegExp;
  /** The subcommands that are known. Another word asks: npm takes any beginning of a name for it. */
  readonly known?: ReadonlySet<string>;
  /** `npm config set`: changes settings or installs for later. */
  readonly changes?: readonly string[];
}

/** Looks at what a tool with subcommands does by the one that is called. */
export function bySubcommand({ runs = [], changes = [], own, known }: Subcommands): Look {
  return ({ words, operands }, context): Findings => {
    const [subcommand, program] = operands;
    const name = subcommand?.value;
    const leading = words[1];
    if (subcommand !== undefined && leading?.value?.startsWith('-') && !LEADING_OPTION.test(leading.value)) {
      return { dangers: [danger('may take the next word, so that the subcommand is another', leading)] };
    }
    if (subcommand === undefined) return {};
    if (name === undefined) return { opaque: 'takes its subcommand from something unknown' };
    if (changes.includes(name)) return { dangers: [danger('changes settings or what runs later', subcommand)] };
    if (known && !known.has(name))
      return { dangers: [danger('is not the whole name of a known subcommand', subcommand)] };
    if (own && !own.test(name) && context.reader.isProgram(name)) {
      return {
        inner: {
          parts: readInner(context, words.slice(words.indexOf(subcommand))),
          needs: 'both',
          program: [subcommand],
        },
      };
    }
    if (!runs.includes(name)) return {};
    if (program === undefined) return { opaque: 'starts a shell' };
    const inner = words.slice(words.indexOf(program));
    return { inner: { parts: readInner(context, inner), needs: 'both', program: [program] } };
  };
}

/** Options that may stand before a subcommand and take no value. */
const LEADING_OPTION = /^(?:-s|-q|-v|-h|-y|--silent|--quiet|--verbose|--version|--help|--yes|--offline|--no-color)$/;
