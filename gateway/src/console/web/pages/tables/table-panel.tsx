/** What is known of one table. */
import type { CatalogTable } from '../../../api/catalog.ts';
import { catalogTablePath } from '../../../api/paths.ts';
import { isAdmin } from '../../app/session.ts';
import { count, counted, units } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../common/facts.tsx';
import { Moment } from '../common/moment.tsx';
import { PageHead } from '../common/page-head.tsx';
import { queryHref } from '../common/query-link.ts';
import { RefreshButton, RefreshOutcome, useRefresh } from '../common/refresh.tsx';
import { Shown } from '../common/shown.tsx';
import { usePath } from '../common/use-asked.ts';
import { BackToTree } from './back-to-tree.tsx';
import { Columns } from './columns.tsx';
import { byKey, columnNames, fewItems } from './first-query.ts';
import { Indexes, KeyColumns } from './indexes.tsx';
import { Sample } from './sample.tsx';
import { scanUnits, sizeInWords } from './words.ts';

interface TablePanelProps {
  readonly schemaName: string;
  readonly tableName: string;
  readonly onRefreshed: () => void;
}

export function TablePanel({ schemaName, tableName, onRefreshed }: TablePanelProps) {
  const table = usePath<CatalogTable>(catalogTablePath(schemaName, tableName));
  const refresh = useRefresh(schemaName, () => {
    void table.again();
    onRefreshed();
  });
  const sqlName = table.value?.sqlName;
  return (
    <>
      <BackToTree />
      <PageHead
        title={<Foreign text={tableName} />}
        lead={
          sqlName === undefined ? undefined : (
            <span class="with-copy">
              <code>
                <Foreign text={sqlName} />
              </code>
              <CopyButton text={sqlName} what="the name for SQL" iconOnly />
            </span>
          )
        }
      >
        {isAdmin.value ? <RefreshButton refresh={refresh} small={false} /> : null}
        {sqlName === undefined ? null : (
          <a class="button primary" data-page href={queryHref(fewItems(sqlName))}>
            <Icon name="play" />
            Query this
          </a>
        )}
      </PageHead>
      <RefreshOutcome refresh={refresh} />
      <Shown asked={table} what="the table">
        {(value) => <Known table={value} />}
      </Shown>
    </>
  );
}

function Known({ table }: { readonly table: CatalogTable }) {
  const { details, sqlName } = table;
  if (details === null) return <p class="muted">Nothing is known of this table yet.</p>;
  const {
    key,
    indexes,
    columns,
    sampledItems,
    sampledAt,
    describedAt,
    itemsPerKey,
    readCapacity,
    sizeBytes,
  } = details;
  return (
    <>
      <section class="card">
        <Facts
          rows={[
            ['Key', <KeyColumns of={key} />],
            [
              'Size',
              <>
                {sizeInWords(details)}{' '}
                <span class="hint">
                  looked at <Moment at={describedAt} />; DynamoDB counts about every six hours
                </span>
              </>,
            ],
            ['A full scan', `about ${units(scanUnits(sizeBytes))} read units`],
            itemsPerKey === undefined
              ? null
              : [
                  'Items a partition',
                  `about ${count(itemsPerKey.estimate)} (${count(itemsPerKey.low)} to ${count(itemsPerKey.high)})`,
                ],
            [
              'Read capacity',
              readCapacity === undefined ? 'on demand' : `${counted(readCapacity, 'unit')} a second`,
            ],
          ]}
        />
        <p class="actions by-key">
          <a class="button small" data-page href={queryHref(byKey(sqlName, key, columnNames(table)))}>
            <Icon name="key" />
            Query by key
          </a>
        </p>
      </section>
      <Indexes table={table} indexes={indexes} details={details} />
      <section class="card" aria-label="Attributes">
        <h2>Attributes</h2>
        <p class="hint">
          {sampledItems === 0
            ? 'No items were sampled yet, so only keys are known.'
            : `Learned from a sample of ${counted(sampledItems, 'item')}; rare attributes can be missing. `}
          {sampledAt === undefined ? null : (
            <>
              Sampled <Moment at={sampledAt} />.
            </>
          )}
        </p>
        <Columns columns={columns} keyOf={key} sampledItems={sampledItems} />
      </section>
      <Sample sqlName={sqlName} />
    </>
  );
}
