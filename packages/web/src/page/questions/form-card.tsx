import type { FormQuestion } from '@parley/client';
import { type FormField, readFields } from '@parley/session/view';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { Declining } from './declining.tsx';
import { checkForm, type FieldInput, presetOf } from './form-answers.ts';
import { SCROLLED } from './scrolled.ts';

interface FormCardProps {
  readonly question: FormQuestion;
  readonly onAnswer: (question: FormQuestion, reply: unknown) => void;
}

/** A form of the agent's making, with all kinds of fields that the protocol has. */
export function FormCard({ question, onAnswer }: FormCardProps): JSX.Element {
  const fields = useMemo(() => readFields(question.form), [question]);
  const [inputs, setInputs] = useState<Readonly<Record<string, FieldInput>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, presetOf(field)])),
  );
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: Event): void => {
    event.preventDefault();
    const check = checkForm(fields, inputs);
    if (check.type === 'complete') return onAnswer(question, { action: 'accept', content: check.content });
    setProblems(check.problems);
  };
  return (
    <form class="question-form" noValidate onSubmit={submit}>
      <div class="question-body" {...SCROLLED}>
        <h2 class="question-title">{visibleText(question.message)}</h2>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            input={inputs[field.name]}
            problem={problems[field.name]}
            onInput={(input) => setInputs((before) => ({ ...before, [field.name]: input }))}
          />
        ))}
      </div>
      <div class="question-answers">
        <button type="submit" class="question-answer question-allow">
          Send
        </button>
        <Declining onAnswer={(answer) => onAnswer(question, answer)} />
      </div>
    </form>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly input: FieldInput;
  readonly problem: string | undefined;
  readonly onInput: (input: FieldInput) => void;
}

function Field(props: FieldProps): JSX.Element {
  const { field, problem } = props;
  const id = `question-${field.name}`;
  const description = field.description && (
    <span class="question-hint" id={`${id}-hint`}>
      {visibleText(field.description)}
    </span>
  );
  const complaint = problem !== undefined && (
    <span class="question-wrong" id={`${id}-wrong`} role="alert">
      {problem}
    </span>
  );
  const title = (
    <>
      {visibleLine(field.title)}
      {field.isRequired && <span class="question-required"> (required)</span>}
    </>
  );
  if (field.kind === 'multi')
    return (
      <fieldset class="question-field">
        <legend>{title}</legend>
        {description}
        <Checkboxes {...props} />
        {complaint}
      </fieldset>
    );
  return (
    <div class="question-field">
      <label htmlFor={id}>{title}</label>
      {description}
      <Input {...props} id={id} />
      {complaint}
    </div>
  );
}

function Checkboxes({ field, input, onInput }: FieldProps): JSX.Element {
  const chosen = Array.isArray(input) ? (input as readonly string[]) : [];
  return (
    <>
      {field.options.map(({ value, label, description }) => (
        <label key={value} class="question-option">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) =>
              onInput(currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          <span>
            {visibleLine(label)}{' '}
            {description !== undefined && <span class="question-hint">{visibleLine(description)}</span>}
          </span>
        </label>
      ))}
    </>
  );
}

function Input({ field, input, problem, onInput, id }: FieldProps & { readonly id: string }): JSX.Element {
  const described = [field.description && `${id}-hint`, problem !== undefined && `${id}-wrong`]
    .filter(Boolean)
    .join(' ');
  const shared = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': problem !== undefined,
    'aria-required': field.isRequired,
  };
  if (field.kind === 'boolean')
    return (
      <input
        {...shared}
        type="checkbox"
        checked={input === true}
        onChange={({ currentTarget }) => onInput(currentTarget.checked)}
      />
    );
  const text = typeof input === 'string' ? input : '';
  if (field.kind === 'choice')
    return (
      <select {...shared} value={text} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
        <option value="">{field.isRequired ? 'Choose one' : 'None'}</option>
        {field.options.map(({ value, label, description }) => (
          <option key={value} value={value} title={description}>
            {visibleLine(label)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      {...shared}
      type="text"
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
