/** The rows of a run, as many as are seen: more are read as one scrolls. */
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FIRST_ROWS, ROWS_AHEAD } from '../limits.ts';
import type { Run } from '../run/run.ts';
import type { Sorting } from './arrange.ts';
import { createCellReader } from './cell-reader.ts';
import { copySelection } from './copy-menu.tsx';
import { GridHead } from './grid-head.tsx';
import { cellId, RowView } from './row-view.tsx';
import { moved, rectangleOf, type Place, type Selection } from './selection.ts';
import { useVirtual } from './virtual.ts';
import { bounded, guessedWidths, setWidth, widthOf } from './widths.ts';

const ROW_PX = 28;
const HEAD_PX = 46;
/** Drawn above and below what is seen: a few turns of the wheel come before the next frame. */
const ROWS_BEYOND = 5;
const WIDTH_STEP_PX = 24;
/** Columns whose first rows have not come yet are guessed again when they have. */
const ROWS_FOR_WIDTHS = 40;

interface GridProps {
  readonly run: Run;
  /** The rows of it that are shown, in their order. */
  readonly shown: Run;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (place: Place) => void;
  readonly onOpenRow: (row: number) => void;
  /** It follows the active row, and wants no more rows: a row form is open. */
  readonly isFollowing: boolean;
}

function placeOf(target: EventTarget | null): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  if (cell === null) return null;
  return { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
}

function rowNumberOf(target: EventTarget | null): number | null {
  const number = target instanceof Element ? target.closest<HTMLElement>('[data-number]') : null;
  return number === null ? null : Number(number.dataset['number']);
}

export function Grid(props: GridProps) {
  const { run, shown, sorting, onSort, selection, onSelect, onOpen, onOpenRow, isFollowing } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const [isDragging, setDragging] = useState(false);
  const columns = run.columns.value;
  const rows = shown.rowCount.value;
  const reader = useMemo(() => createCellReader(shown.rows), [shown]);
  const asCame = useMemo(() => createCellReader(run.rows), [run]);
  const rowsHere = run.rowCount.value;
  const guesses = useMemo(
    () => guessedWidths(columns, asCame, rowsHere),
    [columns, asCame, Math.min(rowsHere, ROWS_FOR_WIDTHS)],
  );
  const widths = columns.map((column, at) => widthOf(column, guesses[at] ?? 100));
  const numberPx = 24 + 8 * Math.max(3, String(rows).length);
  const shownRows = useVirtual({
    scroller,
    count: rows,
    sizeOf: () => ROW_PX,
    overscan: ROWS_BEYOND,
    padding: HEAD_PX,
  });
  const layoutOfColumns = widths.join();
  const shownColumns = useVirtual({
    scroller,
    count: columns.length,
    sizeOf: (at) => widths[at] ?? 100,
    horizontal: true,
    overscan: 2,
    padding: numberPx,
    sizes: layoutOfColumns,
  });
  // A row that has left the view lends its elements to one that comes: to make new ones is what costs most.
  const slots = useRef(0);
  slots.current = Math.max(slots.current, shownRows.items.length);
  const lastSeen = shownRows.items.at(-1)?.index ?? 0;
  // Near the end twice as many: who goes to the end of many rows is there in a few steps.
  if (lastSeen > FIRST_ROWS / 2 && !isFollowing)
    shown.want(lastSeen + 1 >= rows ? rows * 2 : lastSeen + ROWS_AHEAD);

  const activeRow = selection?.active.row;
  useLayoutEffect(() => {
    if (isFollowing && activeRow !== undefined) shownRows.scrollTo(activeRow);
  }, [isFollowing, activeRow]);

  const select = (active: Place, isExtended: boolean): void => {
    onSelect({ active, anchor: isExtended && selection !== null ? selection.anchor : active });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const active = selection?.active ?? { row: 0, column: 0 };
    const isFar = event.ctrlKey || event.metaKey;
    const column = columns[active.column];
    if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && column !== undefined) {
      const step = event.key === 'ArrowLeft' ? -WIDTH_STEP_PX : WIDTH_STEP_PX;
      event.preventDefault();
      return setWidth(column, bounded((widths[active.column] ?? 0) + step), true);
    }
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && column !== undefined) {
      event.preventDefault();
      return onSort({ column: active.column, isDescending: event.key === 'ArrowDown' });
    }
    if (isFar && event.key.toLowerCase() === 'c' && selection !== null) {
      event.preventDefault();
      return void copySelection(shown, selection, event.shiftKey ? 'json' : 'tsv');
    }
    if (isFar && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      return onSelect({
        anchor: { row: 0, column: 0 },
        active: { row: rows - 1, column: columns.length - 1 },
      });
    }
    if ((event.key === 'Enter' || event.key === ' ') && !isFar && selection !== null) {
      event.preventDefault();
      return event.shiftKey ? onOpenRow(active.row) : onOpen(active);
    }
    const pageRows = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_PX) / ROW_PX) - 1);
    const extent = { rows, columns: columns.length, pageRows };
    const to = event.altKey ? null : moved(active, event.key, isFar, extent);
    if (to === null) return;
    event.preventDefault();
    select(selection === null ? active : to, event.shiftKey);
    shownRows.scrollTo(to.row);
    shownColumns.scrollTo(to.column);
  };

  const chosen = selection === null ? null : rectangleOf(selection);
  const first = shownColumns.items[0]?.index ?? 0;
  const last = shownColumns.items.at(-1)?.index ?? 0;
  /** Only an element that is there can be named as the active one: scrolled far away it is not drawn. */
  const isDrawn = ({ row, column }: Place): boolean =>
    column >= first && column <= last && shownRows.items.some(({ index }) => index === row);
  const layout = `${first}-${last}-${numberPx}-${layoutOfColumns}`;
  return (
    <div
      class="grid"
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Rows of the result"
      aria-rowcount={rows + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-activedescendant={
        selection !== null && isDrawn(selection.active)
          ? cellId(gridId, selection.active.row, selection.active.column)
          : undefined
      }
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        const place = event.button === 0 ? placeOf(event.target) : null;
        if (place === null) return;
        select(place, event.shiftKey);
        setDragging(event.pointerType === 'mouse');
      }}
      onPointerMove={(event) => {
        const place = isDragging && event.buttons === 1 ? placeOf(event.target) : null;
        if (place !== null) select(place, true);
      }}
      onPointerUp={() => setDragging(false)}
      onDblClick={(event) => {
        const place = placeOf(event.target);
        const row = rowNumberOf(event.target);
        if (place !== null) onOpen(place);
        else if (row !== null) onOpenRow(row);
      }}
    >
      <div class="grid-space" style={{ height: `${shownRows.total}px`, width: `${shownColumns.total}px` }}>
        <GridHead
          columns={columns}
          drawn={shownColumns.items}
          width={shownColumns.total}
          sorting={sorting}
          onSort={onSort}
        />
        {shownRows.items.map(({ index, start }) => (
          <RowView
            key={index % slots.current}
            gridId={gridId}
            at={index}
            top={start}
            height={ROW_PX}
            columns={shownColumns.items}
            layout={layout}
            reader={reader}
            activeColumn={selection?.active.row === index ? selection.active.column : null}
            selected={
              chosen !== null && index >= chosen.firstRow && index <= chosen.lastRow
                ? [chosen.firstColumn, chosen.lastColumn]
                : null
            }
          />
        ))}
      </div>
    </div>
  );
}
