/** What a run gave: rows, a chart of them, or what went wrong. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { counted, units } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Lazy } from '../../../components/lazy.tsx';
import { ProblemNotice } from '../../../components/notice.tsx';
import { reveal } from '../../../components/reveal.ts';
import { Tabs } from '../../../components/tabs.tsx';
import { Suggestion } from '../editor/suggestion.tsx';
import { unitsWarned } from '../estimate/plan-ahead.ts';
import type { Run } from '../run/run.ts';
import { AS_THEY_CAME, arranged, isArranged, type Arrangement } from './arrange.ts';
import { Arranged, RowFilter } from './arrange-bar.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { Grid } from './grid.tsx';
import { RowForm } from './row-form.tsx';
import { RunFooter } from './run-footer.tsx';
import type { Place, Selection } from './selection.ts';
import { ValuePanel } from './value-panel.tsx';

type View = 'rows' | 'chart';

const loadChart = () => import('../chart/chart-panel.tsx').then(({ ChartPanel }) => ChartPanel);

function Failure({ run }: { readonly run: Run }) {
  const state = run.state.value;
  if (state.kind !== 'failed') return null;
  return (
    <div class="result-failure">
      <ProblemNotice problem={state.problem} title="The query failed" />
      {unitsWarned.value !== null && state.problem.message.includes('maxReadUnits') ? (
        <p>
          Here maxReadUnits is the limit that stands above, {units(unitsWarned.value)} units: press it to
          change it.
        </p>
      ) : null}
      <Suggestion />
    </div>
  );
}

function Warnings({ run }: { readonly run: Run }) {
  const state = run.state.value;
  const said = state.kind === 'ended' ? (state.end.warnings ?? []) : [];
  if (said.length === 0) return null;
  return (
    <details class="result-warnings">
      <summary>
        <Icon name="warning" /> {counted(said.length, 'hint')}
      </summary>
      <ul>
        {said.map((warning) => (
          <li key={warning}>
            <Foreign text={warning} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What stands beside the rows: a value, or a row as a form. */
type Opened = { readonly value: Place } | { readonly row: number } | null;

interface RowsProps {
  readonly run: Run;
  /** It as it is arranged. */
  readonly shown: Run;
  readonly arrangement: Arrangement;
  readonly onArrange: (arrangement: Arrangement) => void;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
  readonly opened: Opened;
  readonly onOpen: (opened: Opened) => void;
}

function Rows(props: RowsProps) {
  const { run, shown, arrangement, onArrange, selection, onSelect, onOpen } = props;
  const whole = useRef<HTMLDivElement>(null);
  const { kind } = run.state.value;
  const row = props.opened === null ? 0 : 'row' in props.opened ? props.opened.row : props.opened.value.row;
  const opened = row < shown.rowCount.value ? props.opened : null;
  // What is beside the rows takes room of them: the cell that it is of stays in view.
  useEffect(() => {
    const grid = whole.current?.querySelector<HTMLElement>('[role="grid"]');
    const cell = grid?.querySelector<HTMLElement>('.grid-cell.active');
    if (opened !== null && grid != null && cell != null) reveal(cell, grid);
  }, [opened]);
  const close = (): void => {
    onOpen(null);
    whole.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const isForm = opened !== null && 'row' in opened;
  /** The form has the row that one is at. */
  const select = (wanted: Selection): void => {
    onSelect(wanted);
    if (isForm) onOpen({ row: wanted.active.row });
  };
  const openRow = (at: number): void => {
    const active = { row: at, column: selection?.active.column ?? 0 };
    onSelect({ active, anchor: active });
    onOpen({ row: at });
  };
  if (run.columns.value.length === 0) return null;
  if (run.rowCount.value === 0 && kind === 'ended') {
    return <p class="result-none">No row answers the query.</p>;
  }
  return (
    <div
      class="result-rows"
      ref={whole}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || opened === null) return;
        // It closes what is open, and stops nothing.
        event.preventDefault();
        close();
      }}
    >
      <Grid
        run={run}
        shown={shown}
        sorting={arrangement.sorting}
        onSort={(sorting) => onArrange({ ...arrangement, sorting })}
        selection={selection}
        onSelect={select}
        onOpen={(value) => onOpen({ value })}
        onOpenRow={openRow}
        isFollowing={isForm}
      />
      {opened === null ? null : 'row' in opened ? (
        <RowForm run={shown} row={opened.row} onRow={openRow} onClose={close} />
      ) : (
        <ValuePanel run={shown} place={opened.value} onClose={close} />
      )}
    </div>
  );
}

/** How a result is looked at. */
interface Look {
  readonly view: View;
  readonly selection: Selection | null;
  readonly arrangement: Arrangement;
}

const AT_FIRST: Look = Object.freeze({ view: 'rows', selection: null, arrangement: AS_THEY_CAME });

/** Kept while the result is, for whoever comes back to its tab. */
const looks = new WeakMap<Run, Look>();

function ResultPanel({ run }: { readonly run: Run }) {
  const before = looks.get(run) ?? AT_FIRST;
  const [view, setView] = useState(before.view);
  const [selection, setSelection] = useState(before.selection);
  const [arrangement, setArrangement] = useState(before.arrangement);
  const [opened, setOpened] = useState<Opened>(null);
  looks.set(run, { view, selection, arrangement });
  const hasRows = run.rowCount.value > 0;
  // While rows come it stays as it is: they would be arranged with each that does.
  const arrangedCount = useRef(0);
  if (run.state.value.kind !== 'reading') arrangedCount.current = run.rowCount.value;
  const shown = useMemo(
    () => (isArranged(arrangement) ? arranged(run, arrangement) : run),
    [run, arrangement, isArranged(arrangement) ? arrangedCount.current : 0],
  );
  const arrange = (wanted: Arrangement): void => {
    setSelection(null);
    setArrangement(wanted);
  };
  const toggleForm = (): void => {
    if (opened !== null && 'row' in opened) return setOpened(null);
    const active = selection?.active ?? { row: 0, column: 0 };
    setSelection({ active, anchor: active });
    setOpened({ row: active.row });
  };
  return (
    <section class="result" aria-label="Result">
      <Tabs
        label="Views of the result"
        chosen={view}
        onChoose={setView}
        tabs={[
          { name: 'rows', title: 'Rows' },
          { name: 'chart', title: 'Chart', disabled: !hasRows },
        ]}
        beside={
          <div class="result-actions">
            <Warnings run={run} />
            {hasRows && view === 'rows' ? (
              <>
                <RowFilter arrangement={arrangement} onArrange={arrange} />
                <Button
                  small
                  aria-pressed={opened !== null && 'row' in opened}
                  title="A row as a form (in the grid Shift-Enter)"
                  onClick={toggleForm}
                >
                  Row<span class="sr-only"> as a form</span>
                </Button>
                <CopyMenu run={shown} selection={selection} />
              </>
            ) : null}
            {hasRows ? <DownloadMenu run={run} shown={shown} /> : null}
          </div>
        }
      >
        <Failure run={run} />
        {view === 'rows' ? (
          <>
            <Arranged run={run} shown={shown} arrangement={arrangement} onArrange={arrange} />
            <Rows
              run={run}
              shown={shown}
              arrangement={arrangement}
              onArrange={arrange}
              selection={selection}
              onSelect={setSelection}
              opened={opened}
              onOpen={setOpened}
            />
          </>
        ) : (
          <Lazy load={loadChart} what="the chart" props={{ run }} />
        )}
      </Tabs>
      <RunFooter run={run} />
    </section>
  );
}

/** Of each run a panel of its own: what was chosen in one is nothing to the next. */
export function Result({ run }: { readonly run: Run }) {
  return <ResultPanel key={run.requestId} run={run} />;
}
