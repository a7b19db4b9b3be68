import { listValues, type Transcript } from '@parley/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { visibleLine } from '../text/visible-text.ts';

interface SettingsProps {
  readonly open: OpenSession;
  readonly transcript: Transcript;
  /** Told when the agent has refused a choice. */
  readonly onProblem: (problem: string) => void;
}

/** Modes and options of the agent, as it tells them. */
export function Settings({ open, transcript, onProblem }: SettingsProps): JSX.Element {
  const { session } = open;
  const { mode, options } = transcript;
  // A mode that is told as an option, too, is shown once.
  const hasModeOption = options.some(({ category }) => category === 'mode');
  return (
    <>
      {mode && !hasModeOption && mode.availableModes.length > 0 && (
        <Choice
          label="Mode"
          value={mode.currentModeId}
          choices={mode.availableModes.map(({ id, name, description }) => ({
            value: id,
            name,
            description: description ?? undefined,
          }))}
          save={(value) => session.setMode(value)}
          onProblem={onProblem}
        />
      )}
      {options.map((option) =>
        option.type === 'boolean' ? (
          <Switch
            key={option.id}
            label={option.name}
            isOn={option.currentValue}
            save={(value) => session.setOption(option.id, value)}
            onProblem={onProblem}
          />
        ) : (
          <Choice
            key={option.id}
            label={option.name}
            value={String(option.currentValue)}
            choices={listValues(option).map(({ value, name, description }) => ({
              value,
              name,
              description: description ?? undefined,
            }))}
            save={(value) => session.setOption(option.id, value)}
            onProblem={onProblem}
          />
        ),
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly {
    readonly value: string;
    readonly name: string;
    readonly description?: string | undefined;
  }[];
  readonly save: (value: string) => Promise<void>;
  readonly onProblem: (problem: string) => void;
}

function Choice({ label, value, choices, save, onProblem }: ChoiceProps): JSX.Element {
  const { shown, choose } = useChoice(label, value, save, onProblem);
  const isListed = choices.some((choice) => choice.value === shown);
  return (
    <label class="composer-setting">
      <span>{visibleLine(label)}</span>
      <select value={shown} onChange={({ currentTarget }) => void choose(currentTarget.value)}>
        {!isListed && <option value={shown}>{visibleLine(shown)}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} title={choice.description}>
            {visibleLine(choice.name)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly save: (value: boolean) => Promise<void>;
  readonly onProblem: (problem: string) => void;
}

function Switch({ label, isOn, save, onProblem }: SwitchProps): JSX.Element {
  const { shown, choose } = useChoice(label, isOn, save, onProblem);
  return (
    <label class="composer-setting">
      <input type="checkbox" checked={shown} onChange={({ currentTarget }) => void choose(currentTarget.checked)} />
      <span>{visibleLine(label)}</span>
    </label>
  );
}

/** Shows a choice at once, and takes it back with words when the agent refuses it. */
function useChoice<Value>(
  label: string,
  value: Value,
  save: (value: Value) => Promise<void>,
  onProblem: (problem: string) => void,
) {
  const [wanted, setWanted] = useState<{ readonly value: Value }>();
  const choose = async (next: Value): Promise<void> => {
    setWanted({ value: next });
    try {
      await save(next);
      onProblem('');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onProblem(`"${visibleLine(label)}" stays as it was: ${why}`);
    } finally {
      setWanted(undefined);
    }
  };
  return { shown: wanted ? wanted.value : value, choose };
}
