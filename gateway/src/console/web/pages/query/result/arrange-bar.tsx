/** Finds rows that are here, and says how they are arranged. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { count, counted } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { ARRANGED_ROWS_MAX } from '../limits.ts';
import type { Run } from '../run/run.ts';
import { AS_THEY_CAME, isArranged, type Arrangement } from './arrange.ts';

/** All cells are looked at: not at each letter. */
const TYPING_PAUSE_MS = 200;

interface FilterProps {
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
}

export function RowFilter({ arrangement, onArrange }: FilterProps) {
  const [typed, setTyped] = useState(arrangement.filter);
  useEffect(() => setTyped(arrangement.filter), [arrangement.filter]);
  useEffect(() => {
    if (typed === arrangement.filter) return;
    const timer = setTimeout(() => onArrange({ ...arrangement, filter: typed }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, arrangement]);
  return (
    <input
      type="search"
      class="row-filter"
      aria-label="Find in the rows that are here"
      placeholder="Find in rows"
      autocomplete="off"
      spellcheck={false}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

interface ArrangedProps extends FilterProps {
  readonly run: Run;
  readonly shown: Run;
}

export function Arranged({ run, shown, arrangement, onArrange }: ArrangedProps) {
  if (!isArranged(arrangement)) return null;
  const { sorting } = arrangement;
  const rows = run.rowCount.value;
  const column = sorting === null ? undefined : run.columns.value[sorting.column];
  const isWhole = run.state.value.kind === 'ended';
  return (
    <div class="arranged hint">
      <span role="status">
        {count(shown.rowCount.value)} of {counted(rows, 'row')}
        {isWhole ? '' : ' read so far'}
        {rows > ARRANGED_ROWS_MAX ? `, of which the first ${count(ARRANGED_ROWS_MAX)} are arranged` : ''}
        {column === undefined ? null : (
          <>
            , by <Foreign text={column.name} />
            {sorting?.isDescending === true ? ', descending' : ''}
          </>
        )}
      </span>
      <Button small kind="quiet" onClick={() => onArrange(AS_THEY_CAME)}>
        As they came
      </Button>
    </div>
  );
}
