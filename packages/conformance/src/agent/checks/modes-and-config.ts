import type { SessionConfigOption, SessionModeState } from '@parley/protocol';
import { asUpdate, fieldsOf } from '../../messages/message.ts';
import { requireAnswer, requireError, requireResult, show } from '../../probe/answer.ts';
import type { Session } from '../../probe/session.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import { listOf } from './tool-calls.ts';

const group = 'modes and config';
const modesSource = 'protocol/v1/session-modes';
const configSource = 'protocol/v1/session-config-options';

export const modesAndConfig: readonly Check[] = [
  check({
    id: 'MODE-01',
    level: 'MUST',
    group,
    source: modesSource,
    rules: [123],
    says: 'The current mode is one of the available ones, whose ids differ',
    async run({ session }) {
      const { currentModeId, availableModes } = modesOf(await session());
      const ids = availableModes.map(({ id }) => id);
      expect(ids.includes(currentModeId), `one of ${show(ids)}`, show(currentModeId));
      expect(new Set(ids).size === ids.length, 'ids that differ', show(ids));
    },
  }),
  check({
    id: 'MODE-02',
    level: 'MUST',
    group,
    source: modesSource,
    rules: [123],
    says: 'session/set_mode accepts every available mode',
    async run({ newSession }) {
      const session = await newSession();
      for (const { id } of modesOf(session).availableModes) {
        requireResult(await setMode(session, id), 'session/set_mode');
      }
    },
  }),
  check({
    id: 'MODE-03',
    level: 'ROBUST',
    group,
    source: modesSource,
    rules: [123],
    says: 'session/set_mode refuses a mode that is not available',
    async run({ newSession }) {
      const session = await newSession();
      modesOf(session);
      requireError(await setMode(session, 'parley-no-such-mode'));
    },
  }),
  check({
    id: 'MODE-04',
    level: 'MAY',
    group,
    source: modesSource,
    rules: [124],
    says: 'The mode can be changed while a turn runs',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      const { currentModeId } = modesOf(session);
      const turn = session.begin(prompts.longTurn);
      const answer = await setMode(session, currentModeId);
      session.cancel();
      requireAnswer(await turn.answer);
      requireResult(answer, 'session/set_mode');
    },
  }),
  check({
    id: 'CONFIG-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: configSource,
    rules: [119],
    says: 'Each config option has an id of its own and a current value that is one of its values',
    async run({ session }) {
      requireGoodOptions(optionsOf(await session()));
    },
  }),
  check({
    id: 'CONFIG-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: configSource,
    rules: [119],
    says: 'session/set_config_option answers with the complete list of options, the change included',
    async run({ newSession }) {
      const session = await newSession();
      const before = optionsOf(session);
      const change = findChange(before);
      if (!change) notProvoked('No option has a second value.');
      const after = await setOption(session, change);
      requireGoodOptions(after);
      const missing = before.find(({ id }) => !after.some((option) => option.id === id));
      expect(
        missing === undefined || missing.id !== change.configId,
        `the option ${show(change.configId)}`,
        show(after.map(({ id }) => id)),
      );
      expect(after.length >= Math.min(before.length, 2), `${before.length} options`, `${after.length}`);
      const changed = after.find(({ id }) => id === change.configId);
      expect(
        changed?.currentValue === change.value,
        `${show(change.configId)} set to ${show(change.value)}`,
        show(changed?.currentValue),
      );
    },
  }),
  lint({
    id: 'CONFIG-03',
    level: 'MUST',
    group,
    source: configSource,
    rules: [120],
    says: 'A boolean option is offered only to a client that knows them',
    unheard: 'No options were told to a client that does not know boolean ones.',
    *look(hearing) {
      if (hearing.profile !== 'bare') return;
      for (const frame of fromAgent(hearing)) {
        const source = asUpdate(frame)?.update ?? fieldsOf(fieldsOf(frame.value).result);
        if (source.configOptions === undefined) continue;
        const bool = listOf(source.configOptions).find((option) => fieldsOf(option).type === 'boolean');
        yield bool === undefined ? { frame } : { frame, problem: { expected: 'no boolean option', got: show(bool) } };
      }
    },
  }),
  check({
    id: 'CONFIG-04',
    level: 'SHOULD',
    group,
    source: configSource,
    rules: [122],
    says: 'Modes and the config option for the mode stay in step',
    async run({ newSession }) {
      const session = await newSession();
      const { currentModeId, availableModes } = modesOf(session);
      const option = optionsOf(session).find(({ category, type }) => category === 'mode' && type === 'select');
      if (!option) notApplicable('There is no config option for the mode.');
      expect(option.currentValue === currentModeId, `${show(currentModeId)} in both`, show(option.currentValue));
      const other = availableModes.find(({ id }) => id !== currentModeId);
      if (!other) notProvoked('There is only one mode.');
      const mark = session.probe.trace.count;
      await setOption(session, { configId: option.id, value: other.id });
      await session.probe.settle();
      const told = session.updates(mark).findLast(({ sessionUpdate }) => sessionUpdate === 'current_mode_update');
      expect(told?.currentModeId === other.id, `a current_mode_update to ${show(other.id)}`, show(told ?? 'none'));
    },
  }),
  check({
    id: 'CONFIG-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: configSource,
    rules: [119],
    says: 'session/set_config_option refuses an option or a value that does not exist',
    async run({ newSession }) {
      const session = await newSession();
      const [option] = optionsOf(session);
      const { probe, id: sessionId } = session;
      requireError(
        await probe.request('session/set_config_option', {
          sessionId,
          configId: 'parley-no-such-option',
          ...probe.words.optionValue('x'),
        }),
      );
      if (option?.type !== 'select') return;
      requireError(
        await probe.request('session/set_config_option', {
          sessionId,
          configId: option.id,
          ...probe.words.optionValue('parley-no-such-value'),
        }),
      );
    },
  }),
];

function modesOf({ opened }: Session): SessionModeState {
  return opened.modes ?? notApplicable('The session has no modes.');
}

function optionsOf({ opened }: Session): readonly SessionConfigOption[] {
  const options = opened.configOptions ?? [];
  return options.length > 0 ? options : notApplicable('The session has no config options.');
}

function setMode({ probe, id }: Session, modeId: string): ReturnType<typeof probe.request> {
  return probe.request('session/set_mode', { sessionId: id, modeId });
}

interface Change {
  readonly configId: string;
  readonly value: string | boolean;
}

async function setOption({ probe, id }: Session, { configId, value }: Change): Promise<readonly SessionConfigOption[]> {
  const params = { sessionId: id, configId, ...probe.words.optionValue(value) };
  const answer = await probe.request('session/set_config_option', params);
  return requireResult(answer, 'session/set_config_option').configOptions;
}

/** A value that is not the current one. */
function findChange(options: readonly SessionConfigOption[]): Change | undefined {
  for (const option of options) {
    if (option.type === 'boolean') return { configId: option.id, value: !option.currentValue };
    const other = valuesOf(option).find((value) => value !== option.currentValue);
    if (other !== undefined) return { configId: option.id, value: other };
  }
  return undefined;
}

function valuesOf(option: SessionConfigOption): readonly string[] {
  if (option.type !== 'select') return [];
  return option.options.flatMap((entry) =>
    'options' in entry ? entry.options.map(({ value }) => value) : [entry.value],
  );
}

function requireGoodOptions(options: readonly SessionConfigOption[]): void {
  const ids = options.map(({ id }) => id);
  expect(new Set(ids).size === ids.length, 'ids that differ', show(ids));
  for (const option of options) {
    if (option.type !== 'select') continue;
    const values = valuesOf(option);
    expect(
      values.includes(option.currentValue),
      `${show(option.id)} set to one of ${show(values)}`,
      show(option.currentValue),
    );
  }
}
