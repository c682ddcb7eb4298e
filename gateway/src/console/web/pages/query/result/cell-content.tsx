import type { ComponentChild } from 'preact';
import { Foreign } from '../../../components/foreign.tsx';
import { invisible } from '../../../components/invisible.ts';
import type { Cell } from './cell.ts';

const EMPTY_LABEL = 'Empty text';

/** What a cell shows. Text alone where it can be: there are hundreds of cells, and all are written anew in each frame that scrolls. */
export function cellContent({ kind, text, isCut }: Cell): ComponentChild {
  if (kind === 'null') return <span class="cell-null">NULL</span>;
  if (kind === 'text' && text === '') {
    return (
      <span class="cell-empty" aria-label={EMPTY_LABEL}>
        ''
      </span>
    );
  }
  const shown = invisible(text) === null ? text : <Foreign text={text} />;
  if (!isCut) return shown;
  return (
    <>
      {shown}
      <span class="cell-cut">…</span>
    </>
  );
}
