/** One row as a form: all its columns under each other. Next and previous are rows that are here; none is read for it. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { count } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PANEL_CHARS_MAX } from '../limits.ts';
import type { Run } from '../run/run.ts';
import { createCellReader } from './cell-reader.ts';
import { cellContent } from './cell-content.tsx';
import { rowFields, type RowField } from './row-fields.ts';
import { useLaidOut } from './use-laid-out.ts';

interface RowFormProps {
  readonly run: Run;
  readonly row: number;
  readonly onRow: (row: number) => void;
  readonly onClose: () => void;
}

interface FieldProps {
  readonly field: RowField;
  /** All of the value; null for NULL. */
  readonly whole: string | null;
}

function Whole({ field: { cell }, whole }: FieldProps) {
  const text = useLaidOut(whole ?? '', cell.kind === 'document');
  return (
    <>
      <pre class="row-form-whole" tabIndex={0}>
        <Foreign text={text.slice(0, PANEL_CHARS_MAX)} />
      </pre>
      {text.length > PANEL_CHARS_MAX ? <p class="hint">What follows is in the copy.</p> : null}
    </>
  );
}

/** Stays open from row to row. */
function Folded(props: FieldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{isOpen ? 'All of it' : cellContent(props.field.cell)}</summary>
      {isOpen ? <Whole {...props} /> : null}
    </details>
  );
}

function Field({ field, whole }: FieldProps) {
  const { column, cell, isFolded } = field;
  return (
    <div class="row-form-field">
      <dt>
        <Foreign text={column.name} /> <span class="grid-type">{column.type}</span>
      </dt>
      <dd>
        <div class={`row-form-value ${cell.kind}`}>
          {isFolded ? <Folded field={field} whole={whole} /> : cellContent(cell)}
        </div>
        <CopyButton text={whole ?? ''} what={column.name} iconOnly />
      </dd>
    </div>
  );
}

export function RowForm({ run, row, onRow, onClose }: RowFormProps) {
  const reader = useMemo(() => createCellReader(run.rows), [run]);
  const columns = run.columns.value;
  const rows = run.rowCount.value;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.focus(), []);
  const goTo = (to: number): void => {
    if (to >= 0 && to < rows) onRow(to);
  };
  return (
    <aside
      class="value-panel row-form"
      aria-label="Row"
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
        event.preventDefault();
        goTo(row + (event.key === 'ArrowDown' ? 1 : -1));
      }}
    >
      <header>
        <div class="value-title" role="status">
          <strong>Row {count(row + 1)}</strong>
          <span class="hint">of {count(rows)} that are here</span>
        </div>
        <Button
          kind="quiet"
          small
          class="icon-only"
          aria-label="Previous row"
          title="Previous row (Alt-↑)"
          aria-disabled={row === 0}
          onClick={() => goTo(row - 1)}
        >
          <Icon name="up" />
        </Button>
        <Button
          kind="quiet"
          small
          class="icon-only"
          aria-label="Next row"
          title="Next row (Alt-↓)"
          aria-disabled={row + 1 >= rows}
          onClick={() => goTo(row + 1)}
        >
          <Icon name="down" />
        </Button>
        <Button kind="quiet" small class="icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div class="row-form-fields" role="group" tabIndex={0} aria-label="Columns" ref={list}>
        <dl>
          {rowFields(reader, columns, row).map((field, at) => (
            <Field key={at} field={field} whole={reader.whole(row, at)} />
          ))}
        </dl>
      </div>
      {row + 1 < rows || run.state.value.kind !== 'paused' ? null : (
        <p class="hint row-form-end">More rows are read as one scrolls in the grid, once this is closed.</p>
      )}
    </aside>
  );
}
