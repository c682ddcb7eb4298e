import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly Option[];
}

/** One of a few, each with what it means. */
export function ChoiceField({ label, value, onValue, options }: ChoiceFieldProps) {
  const id = useId();
  return (
    <fieldset class="choice-field">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? 'choice chosen' : 'choice'}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}`}
            onChange={() => onValue(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            {option.hint === undefined ? null : (
              <span class="hint" id={`${id}-${option.value}`}>
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
