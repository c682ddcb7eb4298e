/** One row of the grid: drawn again only where what it shows has changed. */
import type { VirtualItem } from '@tanstack/virtual-core';
import { Component } from 'preact';
import { cellContent } from './cell-content.tsx';
import type { CellReader } from './cell-reader.ts';

interface RowProps {
  readonly gridId: string;
  readonly at: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly VirtualItem[];
  /** Changes where the columns that are drawn, or their widths, do. */
  readonly layout: string;
  readonly reader: CellReader;
  readonly activeColumn: number | null;
  /** First and last selected column; null where the row has none. */
  readonly selected: readonly [number, number] | null;
}

export const cellId = (gridId: string, row: number, column: number): string => `${gridId}-${row}-${column}`;

export class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: Readonly<RowProps>): boolean {
    const { at, top, layout, activeColumn, selected, reader } = this.props;
    return (
      next.at !== at ||
      next.top !== top ||
      next.layout !== layout ||
      next.activeColumn !== activeColumn ||
      next.selected?.[0] !== selected?.[0] ||
      next.selected?.[1] !== selected?.[1] ||
      next.reader !== reader
    );
  }

  override render({ gridId, at, top, height, columns, reader, activeColumn, selected }: RowProps) {
    return (
      <div
        class="grid-row"
        role="row"
        aria-rowindex={at + 2}
        style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
      >
        <div class="grid-number" role="rowheader" aria-colindex={1} data-number={at}>
          {at + 1}
        </div>
        {columns.map(({ index, start, size }) => {
          const cell = reader.cell(at, index);
          const isSelected = selected !== null && index >= selected[0] && index <= selected[1];
          const names = [
            'grid-cell',
            cell.kind,
            isSelected ? 'selected' : '',
            index === activeColumn ? 'active' : '',
          ];
          return (
            <div
              key={index}
              id={cellId(gridId, at, index)}
              class={names.filter(Boolean).join(' ')}
              role="gridcell"
              aria-colindex={index + 2}
              aria-selected={isSelected}
              data-row={at}
              data-column={index}
              style={{ transform: `translateX(${start}px)`, width: `${size}px` }}
            >
              {cellContent(cell)}
            </div>
          );
        })}
      </div>
    );
  }
}
