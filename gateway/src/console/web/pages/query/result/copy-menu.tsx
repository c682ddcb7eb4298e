import { copyText } from '../../../components/copy.ts';
import { Icon } from '../../../components/icon.tsx';
import { Menu } from '../../../components/menu.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Run } from '../run/run.ts';
import { createCellReader } from './cell-reader.ts';
import { asJson, asTsv } from './copy-cells.ts';
import { rectangleOf, type Selection } from './selection.ts';

/** Copies the selected cells, and says whether it did. */
export async function copySelection(run: Run, selection: Selection, form: 'tsv' | 'json'): Promise<void> {
  const reader = createCellReader(run.rows);
  const write = form === 'tsv' ? asTsv : asJson;
  const text = write(reader, run.columns.peek(), rectangleOf(selection));
  if (text === null) return notify('That is too much to copy. Download the result instead.', 'problem');
  const isCopied = await copyText(text);
  notify(isCopied ? 'Copied' : 'The browser did not let it be copied.', isCopied ? 'success' : 'problem');
}

/** Copies what is selected, or else all rows that are here. */
export function CopyMenu({ run, selection }: { readonly run: Run; readonly selection: Selection | null }) {
  const last = { row: run.rowCount.value - 1, column: run.columns.value.length - 1 };
  const chosen = selection ?? { anchor: { row: 0, column: 0 }, active: last };
  const cells = selection === null ? 'the rows that are here' : 'what is selected';
  return (
    <Menu
      label={`Copy ${cells}`}
      class="button small"
      align="end"
      button={
        <>
          <Icon name="copy" /> <span class="wide-only">Copy</span>
        </>
      }
    >
      <p class="menu-heading hint">Copies {cells}. In the grid, Ctrl-C copies TSV, with Shift JSON.</p>
      <button type="button" class="menu-item" onClick={() => void copySelection(run, chosen, 'tsv')}>
        TSV <span class="hint">for spreadsheets</span>
      </button>
      <button type="button" class="menu-item" onClick={() => void copySelection(run, chosen, 'json')}>
        JSON
      </button>
    </Menu>
  );
}
