/** Rows, time and units of the run, moving while it is under way. */
import { Button } from '../../../components/button.tsx';
import { counted, duration, units } from '../../../components/figures.ts';
import { Icon } from '../../../components/icon.tsx';
import { Spinner } from '../../../components/loading.tsx';
import { beginAgain } from '../run/current.ts';
import { isUnderWay, type Run } from '../run/run.ts';

const LEFT = Object.freeze({
  stopped: 'Stopped: there may be more',
  idle: 'The rest was not read, since nobody scrolled on',
  full: 'The grid is full. Download the result to have all of it',
});

function rowsInWords(run: Run): string {
  const state = run.state.value;
  const rows = counted(run.rowCount.value, 'row');
  return state.kind === 'paused' ? `${rows} so far` : rows;
}

function unitsInWords(run: Run): string {
  const state = run.state.value;
  const read = state.kind === 'ended' ? state.end.readUnits : run.progress.value?.readUnits;
  if (read === undefined) return state.kind === 'left' ? 'units not known' : '';
  return `${units(read)} ${read === 1 ? 'unit' : 'units'}`;
}

export function RunFooter({ run }: { readonly run: Run }) {
  const state = run.state.value;
  const isQueued = state.kind === 'reading' && run.progress.value?.isQueued === true;
  return (
    <div class="run-footer figures">
      {state.kind === 'reading' ? (
        <span class="run-now">
          <Spinner /> {isQueued ? 'Waiting for its turn' : 'Reading'}
        </span>
      ) : null}
      <span>{rowsInWords(run)}</span>
      <span>{duration(run.tookMs.value)}</span>
      <span>{unitsInWords(run)}</span>
      {state.kind === 'paused' ? (
        <>
          <span class="hint">More come as you scroll.</span>
          <Button small onClick={() => run.want(Infinity)}>
            Read all
          </Button>
        </>
      ) : null}
      {state.kind === 'left' ? (
        <>
          <span class="run-left">
            <Icon name="warning" /> {LEFT[state.why]}
          </span>
          {state.why === 'full' ? null : (
            <Button small onClick={() => beginAgain(run)}>
              Run again
            </Button>
          )}
        </>
      ) : null}
      {/* Said once it is over; the moving figures would be read aloud without end. */}
      <span class="sr-only" role="status">
        {isUnderWay(state) ? '' : `${rowsInWords(run)}, ${unitsInWords(run)}`}
      </span>
    </div>
  );
}
