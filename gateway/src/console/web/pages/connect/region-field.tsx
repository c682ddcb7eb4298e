import { useId } from 'preact/hooks';
import { Field } from '../../components/fields.tsx';

/** Offered while one types. Any region of AWS is taken, also one that is newer than this list. */
const REGIONS = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'ca-west-1',
  'mx-central-1',
  'sa-east-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ap-east-1',
  'ap-east-2',
  'af-south-1',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'us-gov-east-1',
  'us-gov-west-1',
  'cn-north-1',
  'cn-northwest-1',
  'eusc-de-east-1',
] as const;

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
