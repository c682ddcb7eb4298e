import { Button } from '../../../components/button.tsx';
import { bytes, counted, units } from '../../../components/figures.ts';
import { Icon } from '../../../components/icon.tsx';
import { Menu } from '../../../components/menu.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Run } from '../run/run.ts';
import { download, downloadResult, saveKept } from './download.ts';
import type { FileFormat, TextFormat } from './kept-rows.ts';

const TEXTS: readonly (readonly [TextFormat, string, string])[] = [
  ['spreadsheet', 'CSV for spreadsheets', 'no text runs as a formula'],
  ['csv', 'CSV', 'every value as it is'],
  ['ndjson', 'NDJSON', 'a row of JSON on each line'],
];
const PARQUET = ['parquet', 'Parquet', 'for DuckDB, Spark, pandas'] as const;

async function begin(run: Run, format: FileFormat): Promise<void> {
  const problem = await downloadResult(run, format);
  if (problem === null) notify('The result is saved.', 'success');
  else if (problem.kind !== 'stopped') notify(problem.message, 'problem');
}

async function keep({ rows, columns, rowCount }: Run, format: TextFormat): Promise<void> {
  const count = rowCount.peek();
  await saveKept({ rows, columns: columns.peek(), rowCount: count }, format);
  notify(`${counted(count, 'row')} saved. Nothing was read.`, 'success');
}

interface FormatsProps<Format> {
  readonly of: readonly (readonly [Format, string, string])[];
  readonly onChoose: (format: Format) => void;
}

function Formats<Format extends string>({ of, onChoose }: FormatsProps<Format>) {
  return of.map(([format, name, use]) => (
    <button key={format} type="button" class="menu-item" onClick={() => onChoose(format)}>
      {name} <span class="hint">{use}</span>
    </button>
  ));
}

/** Rows that are here cost nothing; what is not here is read again. */
export function DownloadMenu({ run, shown }: { readonly run: Run; readonly shown: Run }) {
  const underWay = download.value;
  if (underWay !== null) {
    return (
      <Button small busy={false} onClick={underWay.stop}>
        <Icon name="stop" /> Stop the download ({bytes(underWay.bytes)})
      </Button>
    );
  }
  const state = run.state.value;
  const rows = counted(shown.rowCount.value, 'row');
  const whatIsHere =
    shown !== run
      ? `The ${rows} as they are shown`
      : state.kind === 'ended'
        ? `The whole result, ${rows}`
        : `The ${rows} read so far`;
  const isAllHere = state.kind === 'ended' && shown === run;
  const again = (format: FileFormat): void => void begin(run, format);
  return (
    <Menu
      label="Download the result"
      class="button small"
      align="end"
      button={
        <>
          <Icon name="download" /> <span class="wide-only">Download</span>
        </>
      }
    >
      <p class="menu-heading hint">{whatIsHere}: costs nothing.</p>
      <Formats of={TEXTS} onChoose={(format) => void keep(shown, format)} />
      <p class="menu-heading hint">
        {state.kind === 'ended'
          ? `The whole result: runs the query again, ${units(state.end.readUnits)} units.`
          : 'The whole result: runs the query again, and costs units.'}
      </p>
      <Formats of={isAllHere ? [PARQUET] : [...TEXTS, PARQUET]} onChoose={again} />
    </Menu>
  );
}
