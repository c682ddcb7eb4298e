import { useId } from 'preact/hooks';
import { Field } from '../../components/fields.tsx';
import { REGIONS } from './regions.ts';

interface RegionFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly problem: string | undefined;
}

export function RegionField({ value, onValue, problem }: RegionFieldProps) {
  const list = useId();
  return (
    <Field label="Region" hint="Of the tables, for example eu-west-1." problem={problem}>
      {(ids) => (
        <>
          <input
            type="text"
            {...ids}
            list={list}
            value={value}
            maxLength={32}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onValue(event.currentTarget.value.trim().toLowerCase())}
          />
          <datalist id={list}>
            {REGIONS.map((region) => (
              <option key={region} value={region} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
