import type { Danger } from '../analysis.ts';
import { danger, wholeDanger } from '../arguments/dangers.ts';
import { readInner } from '../arguments/inner.ts';
import type { CommandProfile, Findings, Look } from '../arguments/profile.ts';
import { isHarmlessSetting } from '../environment.ts';
import { programName } from '../program-name.ts';
import { type Setting, withSettings } from '../state.ts';
import { literalWord, putName, type ShellWord } from '../words/shell-word.ts';

/** A program that runs the command written after its own options. */
interface Wrapper {
  /** Its own options without a value, and those that take one. Any other option cannot be looked into. */
  readonly switches?: RegExp;
  readonly valued?: RegExp;
  /** How many words stand between its options and the command: the duration of `timeout`. */
  readonly before?: number;
  /** `inner`: the command alone decides. `both`: a rule must name the wrapper as well, because it gives more power. */
  readonly needs: 'inner' | 'both';
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nice: { switches: /^-\d+$|^-n-?\d+$|^--adjustment=-?\d+$/, valued: /^(?:-n|--adjustment)$/, needs: 'inner' },
  nohup: { needs: 'inner' },
  time: { switches: /^(?:-p|-v|--verbose|--portability)$/, needs: 'inner' },
  timeout: {
    switches: /^(?:--foreground|--preserve-status|-v|--verbose|--kill-after=\w+|--signal=\w+|-k[\d.]+\w?|-s\w+)$/,
    valued: /^(?:-k|-s|--kill-after|--signal)$/,
    before: 1,
    needs: 'inner',
  },
  gtimeout: { switches: /^(?:--foreground|--preserve-status)$/, valued: /^(?:-k|-s)$/, before: 1, needs: 'inner' },
  stdbuf: { switches: /^(?:-[ioe][L0]|--(?:input|output|error)=[L0])$/, valued: /^-[ioe]$/, needs: 'inner' },
  setsid: { switches: /^(?:-[cfw]+|--ctty|--fork|--wait)$/, needs: 'inner' },
  ionice: { switches: /^(?:-t|-c\d|-n\d)$/, valued: /^-[cn]$/, needs: 'inner' },
  chrt: { switches: /^-[bfior]$/, before: 1, needs: 'inner' },
  taskset: { switches: /^-c$/, before: 1, needs: 'inner' },
  caffeinate: { switches: /^-[dimsu]+$/, valued: /^-t$/, needs: 'inner' },
  unbuffer: { switches: /^-p$/, needs: 'inner' },
  fakeroot: { needs: 'both' },
  'xvfb-run': { switches: /^-a$|^--auto-servernum$/, needs: 'both' },
  'dbus-run-session': { needs: 'both' },
  busybox: { needs: 'both' },
  toybox: { needs: 'both' },
  sudo: {
    switches: /^(?:-[nEHSkbA]+|--non-interactive|--preserve-env|--set-home|--stdin|--)$/,
    valued: /^-[ugpCTh]$|^--(?:user|group|prompt|host)$/,
    needs: 'both',
  },
  doas: { switches: /^-n$/, valued: /^-u$/, needs: 'both' },
  torsocks: { needs: 'both' },
  proxychains: { switches: /^-q$/, needs: 'both' },
};

function wrap(wrapper: Wrapper): CommandProfile {
  const look: Look = ({ words }, context): Findings => {
    let index = 1;
    for (; index < words.length; index += 1) {
      const value = words[index]?.value;
      if (value === undefined) return { opaque: 'takes its options from something unknown' };
      if (!value.startsWith('-')) break;
      if (value === '--') {
        index += 1;
        break;
      }
      if (wrapper.valued?.test(value)) index += 1;
      else if (!wrapper.switches?.test(value))
        return isQuestion(words)
          ? { isHarmless: true }
          : { opaque: `has the option ${value}, which is not looked into` };
    }
    index += wrapper.before ?? 0;
    return runInner(words.slice(index), wrapper.needs, context);
  };
  return { lookInstead: look };
}

function runInner(inner: readonly ShellWord[], needs: 'inner' | 'both', context: Parameters<Look>[1]): Findings {
  const program = inner[0];
  if (program === undefined) return { opaque: 'has no command to run' };
  return { inner: { parts: readInner(context, inner), needs, program: [program] } };
}

function isQuestion(words: readonly ShellWord[]): boolean {
  return words.length === 2 && /^--(?:version|help)$/.test(words[1]?.value ?? '');
}

/** `env NAME=value command`: settings must be harmless; `-S` hides a whole command in one word, `-i` takes settings away that keep git safe. */
const lookIntoEnv: Look = ({ words }, context): Findings => {
  const dangers: Danger[] = [];
  const settings: Setting[] = [];
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value;
    if (word === undefined) break;
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(value ?? '');
    if (value === undefined) return { opaque: 'takes its settings from something unknown' };
    if (assignment) {
      settings.push({ word, name: assignment[1] ?? '' });
    } else if (/^(?:-u|--unset)$/.test(value)) {
      dangers.push(danger('changes what the program does', word, ...words.slice(index + 1, index + 2)));
      index += 1;
    } else if (value === '--') {
      index += 1;
      break;
    } else if (value.startsWith('-') && !/^(?:-v|--debug)$/.test(value)) {
      return { opaque: `has the option ${value}, which is not looked into` };
    } else if (!value.startsWith('-')) {
      break;
    }
  }
  const inner = words.slice(index);
  if (inner.length === 0) return { dangers: [...dangers, wholeDanger('prints every variable, secret ones too')] };
  const program = programName(inner[0]?.value ?? '');
  const changes = settings.filter(
    ({ word, name }) => !isHarmlessSetting(name, word.value?.slice(name.length + 1), program),
  );
  dangers.push(...changes.map(({ word }) => danger('changes what the program does', word)));
  const inside = { ...context, state: withSettings(context.state, settings) };
  return { dangers, ...runInner(inner, 'inner', inside) };
};

/** `xargs command`: what comes in is put behind the command, or in place of a mark. A mark goes with no other option than `-0`, `-r`, `-t`, `-P`. */
const lookIntoXargs: Look = ({ words }, context): Findings => {
  let mark: string | undefined;
  let isCounted = false;
  let index = 1;
  for (; index < words.length; index += 1) {
    const value = words[index]?.value;
    if (value === undefined) return { opaque: 'takes its options from something unknown' };
    if (!value.startsWith('-') || value === '-') break;
    if (value === '-I') {
      index += 1;
      mark = words[index]?.value;
      if (mark === undefined) return { opaque: 'puts what it reads in a place that is only known then' };
    } else if (/^-I./.test(value)) mark = value.slice(2);
    else if (/^-[nL]$/.test(value)) {
      index += 1;
      isCounted = true;
    } else if (/^-[nL]\d+$/.test(value)) isCounted = true;
    else if (/^-[PdE]$/.test(value)) index += 1;
    else if (!/^(?:-[0rt]+|-P\d+|-d.+|--null|--no-run-if-empty|--verbose)$/.test(value))
      return { opaque: `has the option ${value}, which is not looked into` };
  }
  if (mark !== undefined && (isCounted || words.slice(1, index).some((word) => /^-[dE]/.test(word.value ?? ''))))
    return { opaque: 'has options that undo each other' };
  const isEnded = words.slice(1, index).some((word) => /^-[rtx]*0|^--null$/.test(word.value ?? ''));
  const { input } = context;
  const isWordCount = words[index]?.value === 'wc';
  const isNames =
    input.type === 'names' &&
    (isEnded ? input.isLines !== true : input.isLines === true && (input.isRecorded !== true || isWordCount));
  const names = isNames
    ? {
        below: input.below,
        isBare: input.isBare,
        hasLinks: input.hasLinks ?? true,
        follows: input.follows ?? false,
        isBroken: !isEnded,
      }
    : {};
  const incoming: ShellWord = {
    text: 'what xargs reads',
    value: undefined,
    glob: [-3],
    splits: mark === undefined,
    ...names,
  };
  const command = index < words.length ? words.slice(index) : [literalWord('echo')];
  const marked = mark === undefined || mark === '' ? undefined : mark;
  const inner = marked === undefined ? [...command, incoming] : command.map((word) => putName(word, marked, incoming));
  return runInner(inner, 'inner', context);
};

/** `command -v name` only asks; otherwise it runs what follows. */
const lookIntoCommand: Look = (call, context): Findings => {
  if (/^-[vV]$/.test(call.words[1]?.value ?? '')) return { isHarmless: true };
  return wrap({ switches: /^-p$/, needs: 'inner' }).lookInstead?.(call, context) ?? {};
};

export const WRAPPER_PROFILES: Readonly<Record<string, CommandProfile>> = {
  ...Object.fromEntries(Object.entries(WRAPPERS).map(([name, wrapper]) => [name, wrap(wrapper)])),
  env: { lookInstead: lookIntoEnv },
  xargs: { lookInstead: lookIntoXargs },
  command: { lookInstead: lookIntoCommand },
};
