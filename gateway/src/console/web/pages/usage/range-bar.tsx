/** Chooses the days: one of a few ranges, or any. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/fields.tsx';
import { daysIn, rangeProblem, type Range } from './range.ts';
import { PRESETS, presetOf } from './range-in-address.ts';

interface RangeBarProps {
  readonly range: Range;
  readonly onRange: (chosen: { readonly preset: string } | Range) => void;
}

export function RangeBar({ range, onRange }: RangeBarProps) {
  const name = useId();
  const [typed, setTyped] = useState<Range>(range);
  const [isSent, setSent] = useState(false);
  useEffect(() => setTyped(range), [range.startDate, range.endDate]);
  const preset = presetOf(range, Date.now());
  const problem = isSent ? rangeProblem(typed) : null;
  const isTyped = typed.startDate !== range.startDate || typed.endDate !== range.endDate;
  const field = (which: keyof Range, label: string) => (
    <TextField
      label={label}
      type="date"
      value={typed[which]}
      onValue={(value) => setTyped({ ...typed, [which]: value })}
      problem={problem?.field === which ? problem.text : undefined}
    />
  );
  return (
    <form
      class="range-bar"
      noValidate
      aria-label="Days"
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        if (rangeProblem(typed) === null) onRange(typed);
      }}
    >
      <fieldset class="segments" aria-label="Range">
        {PRESETS.map((each) => (
          <label key={each.name}>
            <input
              type="radio"
              name={name}
              value={each.name}
              checked={preset === each.name}
              onChange={() => onRange({ preset: each.name })}
            />
            <span>{each.title}</span>
          </label>
        ))}
      </fieldset>
      {field('startDate', 'From')}
      {field('endDate', 'To')}
      <Button type="submit" disabled={!isTyped}>
        Show
      </Button>
      <span
        class="sr-only"
        role="status"
      >{`${daysIn(range)} days, from ${range.startDate} to ${range.endDate}`}</span>
    </form>
  );
}
