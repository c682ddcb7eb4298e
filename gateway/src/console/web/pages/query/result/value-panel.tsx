/** One value, whole: a document laid out, with every digit; a text with its line breaks. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { bytes } from '../../../components/figures.ts';
import { Foreign } from '../../../components/foreign.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PANEL_CHARS_MAX } from '../limits.ts';
import type { Run } from '../run/run.ts';
import { createCellReader } from './cell-reader.ts';
import type { Place } from './selection.ts';
import { useLaidOut } from './use-laid-out.ts';

interface ValuePanelProps {
  readonly run: Run;
  readonly place: Place;
  readonly onClose: () => void;
}

export function ValuePanel({ run, place, onClose }: ValuePanelProps) {
  const reader = createCellReader(run.rows);
  const cell = reader.cell(place.row, place.column);
  const whole = reader.whole(place.row, place.column);
  const column = run.columns.value[place.column];
  const shown = useLaidOut(whole ?? 'NULL', cell.kind === 'document');
  const text = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => text.current?.focus(), []);
  const size = new TextEncoder().encode(whole ?? '').length;
  return (
    <aside class="value-panel" aria-label="Value">
      <header>
        <div class="value-title">
          <strong>
            <Foreign text={column?.name ?? ''} />
          </strong>
          <span class="hint">
            Row {place.row + 1} · {column?.type} · {whole === null ? 'NULL' : bytes(size)}
          </span>
        </div>
        <CopyButton text={whole ?? ''} what="the value" />
        <Button kind="quiet" small class="icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <pre class="value-text" tabIndex={0} ref={text}>
        {whole === null ? (
          <span class="cell-null">NULL</span>
        ) : (
          <Foreign text={shown.slice(0, PANEL_CHARS_MAX)} />
        )}
      </pre>
      {shown.length > PANEL_CHARS_MAX ? <p class="hint">What follows is in the copy.</p> : null}
    </aside>
  );
}
