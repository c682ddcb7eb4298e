/** A few items of a table, read when they are asked for: reading costs units. */
import { parse } from 'lossless-json';
import { Button } from '../../components/button.tsx';
import { counted, units } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { done, failed, type Outcome } from '../../net/outcome.ts';
import { problemOf } from '../../net/problem-of.ts';
import { open } from '../../net/request.ts';
import { useAction } from '../common/use-action.ts';
import { useState } from 'preact/hooks';
import { cellText } from './cell-text.ts';
import { FEW_ITEMS, fewItems } from './first-query.ts';

interface Items {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly readUnits: number;
}

interface Envelope {
  readonly success: boolean;
  readonly data?: {
    readonly columns: readonly string[];
    readonly data: readonly (readonly unknown[])[];
    readonly readUnits: unknown;
  };
}

async function readItems(sqlName: string): Promise<Outcome<Items>> {
  const body = { sql: fewItems(sqlName), options: { maxRows: FEW_ITEMS } };
  const opened = await open('/v1/query', { method: 'POST', body, msMax: null });
  if (!opened.ok) return opened;
  const envelope = parse(await opened.value.text()) as Envelope;
  if (envelope.data === undefined) {
    return failed(problemOf(opened.value.status, opened.value.headers.get('x-request-id'), envelope));
  }
  const { columns, data: rows, readUnits } = envelope.data;
  return done({ columns, rows, readUnits: Number(String(readUnits)) });
}

function Cell({ value }: { readonly value: unknown }) {
  const { kind, text } = cellText(value);
  return (
    <td class={kind === 'number' ? 'number' : ''}>
      {kind === 'null' || kind === 'empty' ? <em class="muted">{text}</em> : <Foreign text={text} />}
    </td>
  );
}

export function Sample({ sqlName }: { readonly sqlName: string }) {
  const [items, setItems] = useState<Items | null>(null);
  const read = useAction(readItems);
  return (
    <section class="card" aria-label="Sample items">
      <div class="card-head">
        <h2>Sample items</h2>
        <Button
          small
          busy={read.isBusy}
          onClick={() =>
            void read.run(sqlName).then((found) => (found === null ? undefined : setItems(found)))
          }
        >
          {items === null ? `Read ${FEW_ITEMS} items` : 'Read again'}
        </Button>
      </div>
      {read.problem === null ? null : <ProblemNotice title="No items could be read" problem={read.problem} />}
      {items === null ? (
        <p class="muted">Reading them consumes read units of the table, few as they are.</p>
      ) : (
        <>
          <p class="hint" role="status">
            {counted(items.rows.length, 'item')}, {units(items.readUnits)} read units
          </p>
          {items.rows.length === 0 ? (
            <p class="muted">The table has no items.</p>
          ) : (
            <div class="table-scroll sample" tabIndex={0} role="region" aria-label="Items">
              <table class="table">
                <thead>
                  <tr>
                    {items.columns.map((column, i) => (
                      <th key={i} scope="col">
                        <Foreign text={column} />
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {items.rows.map((row, i) => (
                    <tr key={i}>
                      {row.map((value, j) => (
                        <Cell key={j} value={value} />
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </section>
  );
}
