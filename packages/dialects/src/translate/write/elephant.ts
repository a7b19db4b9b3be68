import type { Notification, SuccessResponse } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, mapField, mapItems, without } from '../../fields.ts';
import type { MapParams, MapResult, MapUpdate, TranslationContext } from '../context.ts';
import { keep } from '../kept-facts.ts';
import { elephantOption, isElephantMode, mapModeIds, modesOfOption, unknownMode, writeModeId } from '../modes.ts';
import { type Outcome, toPeer } from '../outcome.ts';
import { note, type SessionState, sessionOf } from '../state.ts';
import { refuseRemoteServers, writeStdioType } from './mcp-servers.ts';
import { type DialectWriter, isServiceMissing } from './writer.ts';

/** S3:366 wants the type of a server written out, and rejects all but programs. */
const writeSession: MapParams = (params) =>
  refuseRemoteServers(params, () => false) ?? mapItems(params, 'mcpServers', writeStdioType);

const writeSetMode: MapParams = (params, { session, state }) => {
  const modeId = writeModeId(params.modeId, state.options);
  if (!isElephantMode(modeId, session) && !isElephantMode(params.modeId, session)) return unknownMode(modeId);
  return modeId === params.modeId ? params : { ...params, modeId };
};

const writeSessionResult: MapResult = (result, { state, session }) => {
  const written = without(result, 'configOptions');
  const option = elephantOption(result.configOptions);
  if (!option) return mapField(written, 'modes', (modes) => mapModeIds(modes, (id) => writeModeId(id, state.options)));
  sessionOf(state, result.sessionId === undefined ? undefined : result).toldModeId = option.currentValue;
  session.toldModeId = option.currentValue;
  return { ...written, modes: modesOfOption(option) };
};

/** S3:176 says that an update follows each change of the mode; where an option stands for it, it may have come already. */
function answerSetMode(response: SuccessResponse, { request, state, session }: TranslationContext): Outcome {
  const { sessionId, modeId } = request.params;
  if (session.toldModeId === modeId) return toPeer(response);
  const update = { sessionUpdate: 'current_mode_update', currentModeId: writeModeId(modeId, state.options) };
  const echo: Notification = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
  return toPeer(response, echo);
}

/** S3:192 offers two options whose ids are their kinds. What the person then chooses is given our ids back. */
const writePermission: MapParams = (params, { request }) => {
  const options = Array.isArray(params.options) ? params.options.filter(isRecord) : [];
  const reduced = [pick(options, 'allow_once', 'allow_always'), pick(options, 'reject_once', 'reject_always')].filter(
    (option) => option !== undefined,
  );
  request.optionIds = new Map(reduced.map(({ written, ours }) => [inWords(written.optionId), inWords(ours.optionId)]));
  const isSame = reduced.length === options.length && reduced.every(({ written, ours }) => written === ours);
  if (isSame) return params;
  return keep({ ...params, options: reduced.map(({ written }) => written) }, { options: params.options });
};

/**
 * An answer for once is preferred: "Allow" must not come to mean "always allow". Several approvals for once are different answers,
 * which two options cannot offer: then only the rejection is.
 */
function pick(options: readonly Fields[], once: string, always: string): { written: Fields; ours: Fields } | undefined {
  const [first, ...others] = options.filter(({ kind }) => kind === once);
  if (once === 'allow_once' && others.length > 0) return undefined;
  const ours = first ?? options.find(({ kind }) => kind === always);
  if (!ours) return undefined;
  const isSame = ours.optionId === once && ours.kind === once;
  return { ours, written: isSame ? ours : { ...ours, optionId: once, kind: once } };
}

/** What S3:328 does not emit. */
const UNNAMED: ReadonlySet<unknown> = new Set(['agent_thought_chunk', 'available_commands_update']);

const writeUpdate: MapUpdate = (update, { state, session }) => {
  const { sessionUpdate: tag } = update;
  if (tag === 'tool_call' || tag === 'tool_call_update') return [writeStatus(update)];
  const isSetting = tag === 'current_mode_update' || tag === 'config_option_update';
  const option = isSetting ? elephantOption(session.configOptions) : undefined;
  if (option) return writeModeOption(option, session);
  if (tag === 'current_mode_update') {
    const currentModeId = writeModeId(update.currentModeId, state.options);
    return [currentModeId === update.currentModeId ? update : { ...update, currentModeId }];
  }
  if (!state.options.strict || !UNNAMED.has(tag)) return [update];
  note(state, 'D96', `An update of kind ${inWords(tag)} was left out.`);
  return [];
};

/** Where an option stands for the modes, they change with it, and our own modes are of another kind. */
function writeModeOption({ currentValue }: Fields, session: SessionState): readonly Fields[] {
  if (session.toldModeId === currentValue) return [];
  session.toldModeId = currentValue;
  return [{ sessionUpdate: 'current_mode_update', currentModeId: currentValue }];
}

/** S3:289 begins each call in progress; there is no waiting. */
function writeStatus(update: Fields): Fields {
  const { status } = update;
  if (status === 'pending') return keep({ ...update, status: 'in_progress' }, { status });
  if (update.sessionUpdate !== 'tool_call' || (status !== undefined && status !== null)) return update;
  return keep({ ...update, status: 'in_progress' }, {}, ['status']);
}

/** elephant.ai (seed 003). */
export const elephant: DialectWriter = {
  params: new Map([
    ['session/new', writeSession],
    ['session/load', writeSession],
    ['session/set_mode', writeSetMode],
    ['session/request_permission', writePermission],
  ]),
  results: new Map([
    ['session/new', writeSessionResult],
    ['session/load', writeSessionResult],
  ]),
  update: writeUpdate,
  hasPlainChunks: true,
  lacks: (method, state) => method === 'session/set_config_option' || isServiceMissing(method, state),
  answers: new Map([['session/set_mode', answerSetMode]]),
};
