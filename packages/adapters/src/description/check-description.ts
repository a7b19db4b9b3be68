import { checkFields, isRecord, type ShapeProblem } from '@parley/host/json-files';
import type { Description } from './description.ts';
import { DESCRIPTION_FIELDS } from './description-fields.ts';

/** Everything that is wrong with the content of a description. */
export function checkDescription(value: unknown): readonly ShapeProblem[] {
  if (!isRecord(value)) return [{ path: '', problem: 'expected an object' }];
  const { $schema: _, ...fields } = value;
  const problems = checkFields({ fields: DESCRIPTION_FIELDS }, fields, '', 'field of a description');
  return problems.length > 0 ? problems : checkTogether(value as unknown as Description);
}

/** What single fields cannot show: some need others, some exclude each other. */
function checkTogether(description: Description): readonly ShapeProblem[] {
  const { prompt, sessionMode, resume, result, modes = [], models, images, outputMode = 'jsonpath' } = description;
  const problems: ShapeProblem[] = [];
  const say = (path: string, problem: string): void => void problems.push({ path, problem });

  if (prompt.stdin && prompt.flag) say('prompt.stdin', 'excludes a flag: the prompt goes to stdin or into an argument');
  if (prompt.message !== undefined && prompt.stdinFormat !== 'json') say('prompt.message', 'needs stdinFormat "json"');
  if (prompt.stdinFormat === 'json' && prompt.stdin !== true) say('prompt.stdinFormat', 'needs stdin true');
  if (sessionMode === 'persistent' && prompt.stdin !== true)
    say('prompt.stdin', 'must be true in persistent mode: later prompts can only go to stdin');
  if (sessionMode === 'persistent' && result === undefined)
    say('sessionMode', 'persistent needs a `result`, which tells the end of a turn');
  if (resume && resume.sessionIdPath === undefined && resume.newIdFlag === undefined)
    say('resume', 'needs sessionIdPath, or newIdFlag where the command takes an id');
  if (resume && resume.flag === undefined && resume.args === undefined && resume.command === undefined)
    say('resume', 'needs flag, args or command: how is a session resumed?');
  if (images && [images.flag, images.mention, images.block].filter((way) => way !== undefined).length !== 1)
    say('images', 'needs exactly one of flag, mention and block');
  if (images?.block !== undefined && prompt.message === undefined) say('images.block', 'needs prompt.message');
  modes.forEach(({ id }, index) => {
    if (modes.findIndex((mode) => mode.id === id) !== index) say(`modes[${index}].id`, `there is another mode "${id}"`);
  });
  const values = models?.values.map((each) => (typeof each === 'string' ? each : each.value));
  if (models?.default !== undefined && !values?.includes(models.default))
    say('models.default', `expected one of ${values?.join(', ')}`);
  if (outputMode === 'jsonpath' && !description.outputEvents && !result)
    say('outputEvents', 'is missing: without it and `result` nothing of the output is understood');
  description.outputEvents?.forEach(({ emitAs, answer }, index) => {
    const at = `outputEvents[${index}]`;
    if (emitAs === 'permission' && !answer)
      say(at, 'needs `answer`: what is written to stdin when the person has answered');
    if (emitAs === 'permission' && prompt.stdin !== true)
      say(at, 'needs prompt.stdin true: the answer is written to stdin');
  });
  return problems;
}
