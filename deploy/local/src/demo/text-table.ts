/** Rows as aligned text, for a terminal. */
export function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [columns.map(String), ...rows.map((row) => row.map(cell))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

function cell(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
