/** Names and types of the columns, and the edges that are dragged to make one wider. */
import type { VirtualItem } from '@tanstack/virtual-core';
import { Foreign } from '../../../components/foreign.tsx';
import type { Sorting } from './arrange.ts';
import type { ResultColumn } from './result-lines.ts';
import { setWidth } from './widths.ts';

/** Names of numbers stand over their last digits. */
const NUMERIC = /^(?:[A-Z]*INT|INTEGER|DECIMAL|DOUBLE|FLOAT)/;

interface GridHeadProps {
  readonly columns: readonly ResultColumn[];
  readonly drawn: readonly VirtualItem[];
  readonly width: number;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
}

/** Up, down, and as they came. */
function next(column: number, sorting: Sorting | null): Sorting | null {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
}

function drag(event: PointerEvent, column: ResultColumn, width: number): void {
  const handle = event.currentTarget;
  if (!(handle instanceof HTMLElement)) return;
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  const controller = new AbortController();
  const to = (now: PointerEvent, isLast: boolean): void =>
    setWidth(column, width + now.clientX - event.clientX, isLast);
  handle.addEventListener('pointermove', (now) => to(now, false), { signal: controller.signal });
  const finish = (now: PointerEvent): void => {
    controller.abort();
    to(now, true);
  };
  handle.addEventListener('pointerup', finish, { signal: controller.signal });
  handle.addEventListener('pointercancel', finish, { signal: controller.signal });
}

export function GridHead({ columns, drawn, width, sorting, onSort }: GridHeadProps) {
  return (
    <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${width}px` }}>
      <div class="grid-number" role="columnheader" aria-colindex={1}>
        <span class="sr-only">Row</span>
      </div>
      {drawn.map(({ index, start, size }) => {
        const column = columns[index];
        if (column === undefined) return null;
        const isSorted = sorting?.column === index;
        return (
          <div
            key={index}
            class={NUMERIC.test(column.type) ? 'grid-column number' : 'grid-column'}
            role="columnheader"
            aria-colindex={index + 2}
            aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
            onClick={() => onSort(next(index, sorting))}
            style={{ transform: `translateX(${start}px)`, width: `${size}px` }}
            title={`${column.name} ${column.type}. A press sorts the rows that are here; in the grid Alt-↑ and Alt-↓ do.`}
          >
            <span class="grid-name">
              <Foreign text={column.name} />
              {isSorted ? <span aria-hidden="true">{sorting.isDescending ? ' ▼' : ' ▲'}</span> : null}
            </span>
            <span class="grid-type">{column.type}</span>
            <span
              class="grid-edge"
              onClick={(event) => event.stopPropagation()}
              onPointerDown={(event) => drag(event, column, size)}
            />
          </div>
        );
      })}
    </div>
  );
}
