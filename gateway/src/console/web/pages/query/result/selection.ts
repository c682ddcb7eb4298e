/** Which cells of a grid are selected: a rectangle from an anchor to the active cell. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  readonly anchor: Place;
  readonly active: Place;
}

export interface Rectangle {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

export function rectangleOf({ anchor, active }: Selection): Rectangle {
  return {
    firstRow: Math.min(anchor.row, active.row),
    lastRow: Math.max(anchor.row, active.row),
    firstColumn: Math.min(anchor.column, active.column),
    lastColumn: Math.max(anchor.column, active.column),
  };
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Rows that are seen at once. */
  readonly pageRows: number;
}

const between = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** Where a key leads from a cell; null where it leads nowhere. */
export function moved(
  { row, column }: Place,
  key: string,
  isFar: boolean,
  { rows, columns, pageRows }: Extent,
): Place | null {
  const to = (toRow: number, toColumn: number): Place => ({
    row: between(toRow, rows - 1),
    column: between(toColumn, columns - 1),
  });
  switch (key) {
    case 'ArrowUp':
      return to(isFar ? 0 : row - 1, column);
    case 'ArrowDown':
      return to(isFar ? rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return to(row, isFar ? 0 : column - 1);
    case 'ArrowRight':
      return to(row, isFar ? columns - 1 : column + 1);
    case 'PageUp':
      return to(row - pageRows, column);
    case 'PageDown':
      return to(row + pageRows, column);
    case 'Home':
      return to(isFar ? 0 : row, 0);
    case 'End':
      return to(isFar ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}
