import type { ComponentChildren } from 'preact';

/** Names and what they are, as on the consent page. Rows that are null are left out. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren] | null)[];
}) {
  return (
    <dl class="facts">
      {rows.map((row) =>
        row === null ? null : (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
