/** Form fields: a label, the field, a hint, and what is wrong with it, tied together for screen readers. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Around {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value, and what to write instead; absent or empty: nothing. */
  readonly problem?: string | undefined;
}

interface Ids {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** For fields that are not below: gives the attributes that tie them to their label. */
export function Field({
  label,
  hint,
  problem,
  children,
}: Around & { readonly children: (ids: Ids) => ComponentChildren }) {
  const id = useId();
  const isWrong = problem !== undefined && problem !== '';
  const described = [hint === undefined ? '' : `${id}-hint`, isWrong ? `${id}-problem` : ''].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': isWrong ? true : undefined,
      })}
      {isWrong ? (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      ) : null}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Named so that a page states its own change handler once, with the value. */
interface Valued {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** As of the elements themselves. */
interface Attributes {
  readonly name?: string;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly spellcheck?: boolean;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly maxLength?: number;
  readonly autofocus?: boolean;
}

type TextType = 'text' | 'email' | 'search' | 'url' | 'date' | 'number';

export function TextField({
  label,
  hint,
  problem,
  value,
  onValue,
  ...rest
}: Around &
  Valued &
  Attributes & {
    readonly type?: TextType;
    readonly inputMode?: 'numeric' | 'decimal';
    readonly min?: string;
    readonly max?: string;
  }) {
  // Preact's types tell inputs apart by their type, each with its own roles; these have what all of them take.
  const attributes: object = rest;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <input
          {...attributes}
          {...ids}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  problem,
  value,
  onValue,
  ...rest
}: Around & Valued & Attributes & { readonly rows?: number }) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <textarea {...rest} {...ids} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
      )}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  value,
  onValue,
  options,
  ...rest
}: Around &
  Valued & {
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly disabled?: boolean;
  }) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <select {...rest} {...ids} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A box to check, with its label beside it. */
export function CheckField({
  label,
  hint,
  checked,
  onValue,
  disabled,
}: {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onValue: (checked: boolean) => void;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="check-field">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
