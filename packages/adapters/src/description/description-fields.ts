import type { Field, Fields, NotationCheck, Shape } from '@parley/host/json-files';
import { parsePath, readLiteral } from '../paths/parse-path.ts';
import { EMITTED_AS } from './description.ts';

const STRING: Shape = { type: 'string' };
const WORDS: Shape = { type: 'list', items: STRING };
const BOOLEAN: Shape = { type: 'boolean' };
const NUMBER: Shape = { type: 'number' };
const ANY: Shape = { type: 'any' };
const PATH: Shape = { type: 'notation', check: (text) => problemOf(() => parsePath(text)) };
const PATH_OR_LITERAL: Shape = {
  type: 'notation',
  check: (text) => (readLiteral(text) === undefined ? problemOf(() => parsePath(text)) : undefined),
};
const EMIT_AS: Shape = { type: 'choice', values: EMITTED_AS };
const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'];
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

const text = (says: string): Field => ({ shape: STRING, says });
const words = (says: string): Field => ({ shape: WORDS, says });
const path = (says: string): Field => ({ shape: PATH, says });
const value = (says: string): Field => ({ shape: PATH_OR_LITERAL, says });
const must = (field: Field): Field => ({ ...field, isRequired: true });
const object = (fields: Fields, hasOthers = false): Shape => ({ type: 'object', fields, hasOthers });
const oneOrMore = (shape: Shape): Shape => ({
  type: 'either',
  shapes: [shape, { type: 'list', items: shape, minItems: 1 }],
});

const DIFF = object({
  path: must(value('the file')),
  old: value('its text before; left out for a new file'),
  new: must(value('its text after')),
});

const CONDITION = object({
  path: must(path('where to look; with [*] for every item of a list, and extract then starts at the item')),
  value: {
    shape: oneOrMore(STRING),
    says: 'what must be there: a text, any of several, or * for anything; default: *',
  },
  not: { shape: oneOrMore(STRING), says: 'what must not be there; * for anything' },
});

/** What a mapping can take from a line. */
export const EXTRACT_FIELDS: Fields = {
  content: value('the text'),
  title: value('what people read of a tool call or a notice'),
  status: value('of a tool call: pending, in_progress, completed, failed, or common words for these'),
  input: path('what a tool is given'),
  output: path('what a tool has answered'),
  id: value('of a tool call, a permission question, a message or the session'),
  name: value('of the tool; the field `tools` may know more about it'),
  kind: value('of a tool call: read, edit, delete, move, search, execute, think, fetch, switch_mode or other'),
  isError: path('whether a tool has failed, or a result is an error'),
  locations: path('the files that a tool touches'),
  diff: { shape: DIFF, says: 'what a tool changes' },
  toolCallId: value('the tool call that a permission question is about'),
  entries: path('the steps of a plan'),
  entry: {
    shape: object({ content: value('its text'), status: value('its status'), priority: value('its priority') }),
    says: 'where a step has its fields, from the step; default: content, status and priority by their usual names',
  },
  severity: value('of a notice: info, warning or error'),
  used: path('tokens in the context'),
  size: path('tokens that the context holds'),
  cost: path('what the session has cost so far, in US dollars'),
  inputTokens: path('tokens read in this turn'),
  outputTokens: path('tokens written in this turn'),
  thoughtTokens: path('tokens of thoughts in this turn'),
  cachedReadTokens: path('tokens read from a cache in this turn'),
  cachedWriteTokens: path('tokens written to a cache in this turn'),
  since: value(
    "since when tokens are counted: 'turn', or 'session' where each turn tells the sum of all; default: 'turn'",
  ),
};

const MAPPING = object({
  match: must({ shape: oneOrMore(CONDITION), says: 'which lines; of several conditions all must hold' }),
  emitAs: must({ shape: EMIT_AS, says: 'what becomes of them' }),
  extract: {
    shape: object(EXTRACT_FIELDS, true),
    says: 'where the parts are: paths, or literal texts in single quotes',
  },
  answer: {
    shape: object({
      allow: must({ shape: ANY, says: 'allowed once' }),
      allowAlways: { shape: ANY, says: 'allowed from now on; without it this is not offered' },
      reject: must({ shape: ANY, says: 'rejected, or nobody answered' }),
      rejectAlways: { shape: ANY, says: 'rejected from now on; without it this is not offered' },
    }),
    says: 'for emitAs permission: the JSON that is written to stdin; {{id}}, {{input}}, {{message}} stand for values',
  },
});

const RESULT = object({
  matchPath: must(path('where to look')),
  matchValue: must(text('what must be there, or * for anything')),
  contentPath: must(value('the text of the answer; it is said unless it was streamed before')),
  isErrorPath: path('whether the turn has failed; the content says why'),
  stopReasonPath: path('why it ended; the field `stopReasons` translates'),
});

/** Every field of a description, in the order in which people write them. */
export const DESCRIPTION_FIELDS: Fields = {
  version: must({ shape: { type: 'choice', values: [1] }, says: 'the version of this format: 1' }),
  name: must(text('the name of the agent')),
  command: must({ shape: { type: 'list', items: STRING, minItems: 1 }, says: 'the program and its first arguments' }),
  sessionMode: must({
    shape: { type: 'choice', values: ['stream', 'iterative', 'persistent'] },
    says: 'stream: a process for each turn, which resumes the session; iterative: the same, with the history in the prompt; persistent: one process that stays open',
  }),
  prompt: must({
    shape: object({
      flag: text(
        'the flag before the prompt, joined with it where it ends in "="; empty or left out: the prompt is the last argument',
      ),
      stdin: { shape: BOOLEAN, says: 'the prompt is written to stdin' },
      stdinFormat: {
        shape: { type: 'choice', values: ['text', 'json'] },
        says: 'how it is written there; default: text',
      },
      message: {
        shape: ANY,
        says: 'for json: the line; {{prompt}}, {{content}}, {{sessionId}}, {{id}} stand for values',
      },
      first: {
        shape: ANY,
        says: 'for json: a line that is written before the first prompt; {{id}} stands for a new id',
      },
      separator: text('an argument before a prompt that is the last one, such as --'),
    }),
    says: 'how the prompt reaches the command',
  }),
  output: must({
    shape: object({ flag: must(text('the flag; empty: none')), value: must(text('its value; empty: none')) }),
    says: 'what makes the command write lines of JSON',
  }),
  autoApprove: words('arguments for use without questions; with modes, only in those that say so'),
  resume: {
    shape: object({
      flag: text('the flag before the id of the session'),
      sessionIdPath: path('where lines have that id'),
      args: words('arguments in place of the flag and the id; {{sessionId}} stands for it'),
      command: words('program and first arguments in place of `command`; {{sessionId}} stands for the id'),
      newIdFlag: text('a flag that gives a new session its id, which is then made here'),
    }),
    says: 'how later turns go on with the session',
  },
  cwdFlag: text('the flag before the working directory, in which the command is started anyway'),
  outputEvents: {
    shape: { type: 'list', items: MAPPING },
    says: 'what becomes of each line; every mapping that matches is applied',
  },
  result: { shape: oneOrMore(RESULT), says: 'the line that ends a turn; without it, the end of the process does' },
  historyTemplate: {
    shape: {
      type: 'either',
      shapes: [STRING, object({ system: text('instructions before the history'), turnFormat: must(text('one turn')) })],
    },
    says: 'how earlier turns are written in iterative mode: {{input}}, {{output}}',
  },
  timeout: { shape: NUMBER, says: 'milliseconds that a turn may take; default: any number' },
  outputMode: {
    shape: { type: 'choice', values: ['jsonpath', 'passthrough', 'text'] },
    says: 'jsonpath: by outputEvents; passthrough: lines that are named as updates already; text: all output is the answer; default: jsonpath',
  },
  passthroughTypeMap: {
    shape: object({
      typeField: text('the field that has the type; default: type'),
      typeValues: { shape: { type: 'map', values: EMIT_AS }, says: 'types by the names that lines have for them' },
    }),
    says: 'for passthrough',
  },
  title: text('its name for people'),
  about: text('a sentence about the agent'),
  homepage: text('where it is documented'),
  tools: {
    shape: {
      type: 'map',
      values: object({
        kind: { shape: { type: 'choice', values: KINDS }, says: 'what it does' },
        title: text('what people read; {{field}} stands for what the tool is given'),
        locations: path('the files that it touches, in what it is given'),
        diff: { shape: DIFF, says: 'what it changes, in what it is given' },
        plan: path('the steps of a plan, in what it is given; the call is then shown as a plan'),
      }),
    },
    says: 'what is known of tools, by name; a * at the end of a name stands for any ending',
  },
  models: {
    shape: object({
      flag: must(text('the flag before the model')),
      values: must({
        shape: {
          type: 'list',
          minItems: 1,
          items: {
            type: 'either',
            shapes: [
              STRING,
              object({ value: must(text('its id')), name: text('its name'), description: text('about it') }),
            ],
          },
        },
        says: 'the models; "default" passes no flag',
      }),
      default: text('the one that sessions begin with; default: the first'),
    }),
    says: 'models to choose from',
  },
  modes: {
    shape: {
      type: 'list',
      items: object({
        id: must(text('its id')),
        name: text('its name for people; default: the id'),
        description: text('about it'),
        args: words('its arguments'),
        autoApprove: { shape: BOOLEAN, says: 'whether the arguments of autoApprove are passed too; default: false' },
      }),
    },
    says: 'modes to choose from; sessions begin with the first',
  },
  images: {
    shape: object({
      flag: text('the flag before the path of an image, once for each'),
      mention: text('what is added to the prompt, such as @{{path}}'),
      block: {
        shape: ANY,
        says: 'its block in {{content}} of prompt.message; {{data}} (base64) and {{mimeType}} stand for values',
      },
      mimeTypes: words('the types that it takes; default: png, jpeg, gif and webp'),
    }),
    says: 'how images in prompts are passed; without it they are refused',
  },
  stopReasons: {
    shape: { type: 'map', values: { type: 'choice', values: STOP_REASONS } },
    says: 'the words of the command for why a turn ended, and those of the protocol',
  },
  env: {
    shape: { type: 'map', values: { type: 'either', shapes: [STRING, { type: 'null' }] } },
    says: 'variables of its environment; null takes one away',
  },
  login: {
    shape: object({
      hint: must(text('what to do when the command is not logged in')),
      when: words('texts in its errors that say so'),
      command: words('a command that logs in, in a terminal'),
    }),
    says: 'how to log in',
  },
  mcp: {
    shape: object({ flag: must(text('the flag before {"mcpServers": ...} as JSON')) }),
    says: 'how MCP servers of the client are passed; without it they are not, and the person is told',
  },
  directoryFlag: text('the flag before each further directory of the session'),
  interrupt: {
    shape: ANY,
    says: 'in persistent mode: the JSON that is written to stdin to cancel a turn; without it the process is ended',
  },
  idleTimeout: { shape: NUMBER, says: 'milliseconds that the command may be silent in a turn; default: 600000' },
};

function problemOf(read: () => unknown): ReturnType<NotationCheck> {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
