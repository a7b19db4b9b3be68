import type { SuccessResponse } from '@parley/jsonrpc';
import { type Fields, isRecord, mapItems, only, rename, without } from '../../fields.ts';
import { exceedsMap, writePairs } from '../../pairs.ts';
import { askOwnSide } from '../ask-own-side.ts';
import type { MapParams, MapResult, TranslationContext } from '../context.ts';
import { dropFacts, keep, keepFacts, keptFact } from '../kept-facts.ts';
import { writeModeId } from '../modes.ts';
import { answer, type Outcome, toPeer, toUs } from '../outcome.ts';
import { isDerived } from '../read/tool-call.ts';
import { type DialectState, type PendingRequest, terminalOf } from '../state.ts';
import { TRUNCATION_MARK } from '../truncation-mark.ts';
import { writeExitCode } from './exit-code.ts';
import { writeStopReason } from './nearest-words.ts';
import { firstText, titleOf } from './permission.ts';
import { writeInitialize, writeInitializeResult, writeMcpServers } from './pharo-setup.ts';
import { writeContent, writeUpdate } from './pharo-update.ts';
import { asNull, type DialectWriter } from './writer.ts';

/** S4:1028 sends the secret along. */
const writeAuthenticate: MapParams = (params, { state }) => {
  const { methodId } = params;
  const credentials = typeof methodId === 'string' ? state.options.giveCredentials?.(methodId) : undefined;
  return credentials === undefined ? params : { ...params, credentials };
};

/** S4:254 loads without a directory. */
const writeLoadSession: MapParams = (params, context) => writeMcpServers(without(params, 'cwd'), context);

const writeSessionResult: MapResult = (result) => dropFacts(without(result, 'modes', 'configOptions'), 'derived');

const writePrompt: MapParams = (params) => mapItems(params, 'prompt', writeContent);

const writeSetMode: MapParams = (params, { state }) => {
  const modeId = writeModeId(params.modeId, state.options);
  return modeId === params.modeId ? params : { ...params, modeId };
};

/** S4:278 names an `option` and needs no tag for booleans. */
const writeSetConfigOption: MapParams = (params) => {
  const number = keptFact(params, 'value');
  const value = typeof number === 'number' && String(number) === params.value ? number : params.value;
  return { ...rename(without(dropFacts(params, 'value'), 'type'), 'configId', 'option'), value };
};

/** S4:614 asks with a title and a description. */
const writePermission: MapParams = (params, { session }) => {
  const { toolCall, _meta: _ignored, ...rest } = params;
  const title = textOf(keptFact(params, 'title')) ?? titleOf(toolCall, session) ?? 'Permission required';
  const description = textOf(keptFact(params, 'description')) ?? firstText(toolCall);
  const meta = only(dropFacts(params, 'message', 'title', 'description', 'derived'), ['_meta']);
  const question = { ...rest, ...meta, title, ...(description === undefined ? {} : { description }) };
  const written = mapItems(question, 'options', (option) =>
    isRecord(option) ? rename(option, 'name', 'label') : option,
  );
  return isDerived(params, 'toolCall') ? written : keep(written, { toolCall });
};

/** S4:641 names the chosen option; that none was chosen is our convention, for the document has no word for it. */
const writePermissionResult: MapResult = (result) => {
  const { outcome, ...rest } = result;
  if (!isRecord(outcome)) return result;
  const isSelected = outcome.outcome === 'selected';
  return keepFacts({ ...rest, selectedOptionId: isSelected ? outcome.optionId : null }, { outcome: outcome._meta });
};

const writeReadTextFile: MapParams = (params) => rename(rename(params, 'line', 'startLine'), 'limit', 'lineLimit');

/** S4:741 has the environment as a map and no limit of output, which is therefore kept on our side. */
const writeCreateTerminal: MapParams = (params) => {
  const { env, outputByteLimit, ...rest } = params;
  if (!Array.isArray(env)) return keep(without(params, 'outputByteLimit'), { outputByteLimit });
  return keep({ ...rest, env: writePairs(env) }, { outputByteLimit, env: exceedsMap(env) ? env : undefined });
};

/** S4:776 has one exit code, and output from the beginning. */
const writeTerminalOutput: MapResult = (result) => {
  const { output, truncated, exitStatus, ...rest } = result;
  const isCut = truncated === true && typeof output === 'string';
  const written = { ...rest, output: isCut ? TRUNCATION_MARK + output : output, exitCode: writeExitCode(exitStatus) };
  const isMore = isRecord(exitStatus) && (isLossy(exitStatus) || exitStatus._meta !== undefined);
  return keep(written, { truncated: isCut ? true : undefined, exitStatus: isMore ? exitStatus : undefined });
};

/** Whether one number does not tell the whole of it. */
function isLossy({ exitCode, signal }: Fields): boolean {
  return typeof exitCode !== 'number' || typeof signal === 'string';
}

/** S4:854 only gives a terminal back; in ACP a process that still runs is killed with it. */
function killBefore({ params }: PendingRequest, state: DialectState): readonly PendingRequest[] {
  const { sessionId, terminalId } = params;
  return terminalOf(state, terminalId).isRunning
    ? [{ method: 'terminal/kill', params: { sessionId, terminalId } }]
    : [];
}

/** S4:804 wants the output with the exit code, so it is asked for before the answer goes out. */
function answerWaitForExit(response: SuccessResponse, { request, state }: TranslationContext): Outcome | undefined {
  const { id, result } = response;
  if (!isRecord(result)) return undefined;
  const exit = only(result, ['exitCode', 'signal']);
  const missing = ['exitCode', 'signal'].filter((name) => !(name in exit));
  const rest = dropFacts(without(result, 'exitCode', 'signal'), 'output', 'exitCode');
  const finish = (output: unknown): Outcome => {
    const whole = { ...rest, output: textOf(output) ?? '', exitCode: writeExitCode(result) };
    return toPeer(answer(id, isLossy(result) ? keep(whole, exit, missing) : whole));
  };
  const kept = keptFact(result, 'output');
  if (typeof kept === 'string') return finish(kept);
  const { sessionId, terminalId } = request.params;
  const question = { method: 'terminal/output', params: { sessionId, terminalId } };
  return toUs(
    askOwnSide(state, question, (said) => finish('result' in said && isRecord(said.result) ? said.result.output : '')),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Pharo-ACP (seed 004), the farthest from canonical ACP. */
export const pharo: DialectWriter = {
  params: new Map<string, MapParams>([
    ['initialize', writeInitialize],
    ['authenticate', writeAuthenticate],
    ['session/new', writeMcpServers],
    ['session/load', writeLoadSession],
    ['session/prompt', writePrompt],
    ['session/set_mode', writeSetMode],
    ['session/set_config_option', writeSetConfigOption],
    ['session/request_permission', writePermission],
    ['fs/read_text_file', writeReadTextFile],
    ['terminal/create', writeCreateTerminal],
  ]),
  results: new Map<string, MapResult>([
    ['initialize', writeInitializeResult],
    ['authenticate', asNull],
    ['session/new', writeSessionResult],
    ['session/load', asNull],
    ['session/prompt', writeStopReason],
    ['session/set_mode', asNull],
    ['session/set_config_option', asNull],
    ['session/request_permission', writePermissionResult],
    ['fs/write_text_file', asNull],
    ['terminal/output', writeTerminalOutput],
    ['terminal/kill', asNull],
    ['terminal/release', asNull],
  ]),
  update: writeUpdate,
  hasPlainChunks: false,
  lacks: (method) => method === 'session/close',
  before: new Map([['terminal/release', killBefore]]),
  answers: new Map([['terminal/wait_for_exit', answerWaitForExit]]),
};
