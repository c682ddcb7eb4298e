import { Button } from '../../../components/button.tsx';
import { bytes, units } from '../../../components/figures.ts';
import { Icon } from '../../../components/icon.tsx';
import { Menu } from '../../../components/menu.tsx';
import { notify } from '../../../components/toasts.tsx';
import type { Run } from '../run/run.ts';
import { download, downloadResult, type FileFormat } from './download.ts';

const FORMATS: readonly (readonly [FileFormat, string, string])[] = [
  ['csv', 'CSV', 'for spreadsheets'],
  ['ndjson', 'NDJSON', 'a row of JSON on each line'],
  ['parquet', 'Parquet', 'for DuckDB, Spark, pandas'],
];

async function begin(run: Run, format: FileFormat): Promise<void> {
  const problem = await downloadResult(run, format);
  if (problem === null) notify('The result is saved.', 'success');
  else if (problem.kind !== 'stopped') notify(problem.message, 'problem');
}

/** What it costs to read the result again. */
function cost(run: Run): string {
  const state = run.state.value;
  return state.kind === 'ended'
    ? `It runs again: ${units(state.end.readUnits)} units.`
    : 'It runs again, and costs units.';
}

export function DownloadMenu({ run }: { readonly run: Run }) {
  const underWay = download.value;
  if (underWay !== null) {
    return (
      <Button small busy={false} onClick={underWay.stop}>
        <Icon name="stop" /> Stop the download ({bytes(underWay.bytes)})
      </Button>
    );
  }
  return (
    <Menu
      label="Download the whole result"
      class="button small"
      align="end"
      button={
        <>
          <Icon name="download" /> <span class="wide-only">Download</span>
        </>
      }
    >
      <p class="menu-heading hint">The whole result as a file. {cost(run)}</p>
      {FORMATS.map(([format, name, use]) => (
        <button key={format} type="button" class="menu-item" onClick={() => void begin(run, format)}>
          {name} <span class="hint">{use}</span>
        </button>
      ))}
    </Menu>
  );
}
