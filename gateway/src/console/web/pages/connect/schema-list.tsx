import { hrefOf, pathTo } from '../../app/router.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { counted } from '../../components/figures.ts';
import { PageHead } from '../common/page-head.tsx';
import { SCHEMAS_PATH, type SchemaRecord } from '../common/schemas.ts';
import { Shown } from '../common/shown.tsx';
import { useList } from '../common/use-asked.ts';
import { Wizard } from './wizard.tsx';

/** Which tables an allowlist lets through. */
export function allowlistInWords({ tableAllowlist }: Pick<SchemaRecord, 'tableAllowlist'>): string {
  if (tableAllowlist.includes('*')) return 'All that the role may list';
  return tableAllowlist.length === 0 ? 'All that the role may read' : counted(tableAllowlist.length, 'table');
}

export const schemaHref = (schemaName: string): string => hrefOf(pathTo('connect', 'schemas', schemaName));

function Row({ schema }: { readonly schema: SchemaRecord }) {
  return (
    <tr>
      <th scope="row">
        <a data-page href={schemaHref(schema.schemaName)}>
          <Foreign text={schema.schemaName} />
        </a>
      </th>
      <td data-label="State">
        <span class={`badge ${schema.status === 'active' ? 'good' : ''}`}>{schema.status}</span>
      </td>
      <td data-label="Account">
        <code>{schema.accountId}</code>
      </td>
      <td data-label="Region">{schema.region}</td>
      <td data-label="Tables">{allowlistInWords(schema)}</td>
    </tr>
  );
}

export function SchemaList() {
  const schemas = useList<SchemaRecord>(SCHEMAS_PATH);
  if (schemas.value?.length === 0) return <Wizard isFirst />;
  return (
    <div class="page">
      <PageHead
        title="Connect"
        lead="A schema is a name for tables of one account and region, and the role that reads them."
      >
        <a class="button primary" data-page href={hrefOf('connect/new')}>
          <Icon name="plus" />
          Connect an account
        </a>
      </PageHead>
      <Shown asked={schemas} what="the schemas">
        {(all) => (
          <div class="table-scroll" tabIndex={0} role="region" aria-label="Schemas">
            <table class="table stacks">
              <thead>
                <tr>
                  <th scope="col">Schema</th>
                  <th scope="col">State</th>
                  <th scope="col">Account</th>
                  <th scope="col">Region</th>
                  <th scope="col">Tables</th>
                </tr>
              </thead>
              <tbody>
                {all.map((schema) => (
                  <Row key={schema.schemaName} schema={schema} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Shown>
    </div>
  );
}
