/** One schema: whether it works, what it is, and what may be done with it. */
import { useState } from 'preact/hooks';
import type { ConnectGuide } from '../../../api/connect.ts';
import { PATHS } from '../../../api/paths.ts';
import { hrefOf, navigate, pathTo, place } from '../../app/router.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { dateTime } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Notice } from '../../components/notice.tsx';
import { notify } from '../../components/toasts.tsx';
import { Facts } from '../common/facts.tsx';
import { PageHead } from '../common/page-head.tsx';
import { changeSchema, deleteSchema, schemaPath, type SchemaRecord } from '../common/schemas.ts';
import { Shown } from '../common/shown.tsx';
import { usePath, type Asked } from '../common/use-asked.ts';
import { RoleCheck } from './role-check.tsx';
import { SchemaForm } from './schema-form.tsx';
import { SchemaTables } from './schema-tables.tsx';
import { allowlistInWords } from './schema-list.tsx';
import { limitsInWords } from './limits-words.ts';

type Open = 'edit' | 'disable' | 'delete' | null;

export function SchemaView({ schemaName }: { readonly schemaName: string }) {
  const schema = usePath<SchemaRecord>(schemaPath(schemaName));
  const guide = usePath<ConnectGuide>(PATHS.connect);
  return (
    <div class="page">
      <p class="back">
        <a data-page href={hrefOf('connect')}>
          All schemas
        </a>
      </p>
      <Shown asked={schema} what="the schema">
        {(record) => (
          <Whole record={record} schema={schema} penstockAccountId={guide.value?.serviceAccountId ?? null} />
        )}
      </Shown>
    </div>
  );
}

interface WholeProps {
  readonly record: SchemaRecord;
  readonly schema: Asked<SchemaRecord>;
  readonly penstockAccountId: string | null;
}

function Whole({ record, schema, penstockAccountId }: WholeProps) {
  const [open, setOpen] = useState<Open>(null);
  const [checked, setChecked] = useState(false);
  const [hasPassed, setPassed] = useState(false);
  const { schemaName } = record;
  const isActive = record.status === 'active';
  const close = (): void => setOpen(null);
  const change = async (status: SchemaRecord['status']) => {
    const outcome = await changeSchema(schemaName, { status });
    if (!outcome.ok) return outcome.problem;
    schema.set(outcome.value);
    notify(`${schemaName} is ${status}`, 'success');
    return null;
  };
  return (
    <>
      <PageHead
        title={<Foreign text={schemaName} />}
        lead={
          isActive ? `${record.region}, account ${record.accountId}` : 'Disabled: queries on it are refused.'
        }
      >
        <Button onClick={() => setOpen('edit')}>Edit</Button>
        {isActive ? (
          <Button onClick={() => setOpen('disable')}>Disable</Button>
        ) : (
          <Button
            onClick={() =>
              void change('active').then((problem) => problem && notify(problem.message, 'problem'))
            }
          >
            Enable
          </Button>
        )}
        <Button kind="danger" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </PageHead>
      {isActive ? null : (
        <Notice kind="warning">
          <p>
            This schema is disabled. Its tables are in no list, and queries that name them fail until it is
            enabled.
          </p>
        </Notice>
      )}
      <RoleCheck
        key={[
          record.roleArn,
          record.externalId,
          record.accountId,
          record.region,
          ...record.tableAllowlist,
        ].join(' ')}
        schema={record}
        penstockAccountId={penstockAccountId}
        atOnce={place.value.search.has('check') || checked}
        onChange={(changed) => {
          setChecked(true);
          schema.set(changed);
        }}
        onPassed={() => setPassed(true)}
      />
      {isActive ? <SchemaTables schemaName={schemaName} isLetIn={hasPassed} /> : null}
      <section class="card">
        <h2>What it is</h2>
        <Facts
          rows={[
            ['Role', <Copied text={record.roleArn} what="the role ARN" />],
            ['External ID', <Copied text={record.externalId} what="the external ID" />],
            ['Region', record.region],
            ['Account', record.accountId],
            ['Tables', <Allowlist record={record} />],
            ['Limits', limitsInWords(record.readLimits)],
            ['Created', dateTime(record.createdAt)],
          ]}
        />
      </section>
      {open === 'edit' ? (
        <SchemaForm
          schema={record}
          onClose={close}
          onSaved={(changed) => {
            setChecked(true);
            schema.set(changed);
            close();
          }}
        />
      ) : null}
      {open === 'disable' ? (
        <ConfirmDialog
          title={`Disable ${schemaName}?`}
          action="Disable"
          onConfirm={() => change('disabled')}
          onClose={close}
        >
          <p>
            Within 5 seconds queries on its tables fail, for everybody. Nothing is lost: it can be enabled
            again.
          </p>
        </ConfirmDialog>
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${schemaName}?`}
          action="Delete the schema"
          nameToType={schemaName}
          onConfirm={async () => {
            const outcome = await deleteSchema(schemaName);
            if (!outcome.ok) return outcome.problem;
            notify(`${schemaName} is deleted`, 'success');
            navigate('connect', { replace: true });
            return null;
          }}
          onClose={close}
        >
          <p>
            The schema and what is known of its tables go for good, and queries that name it fail. Your tables
            and the role in your account stay as they are; delete the role there.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="with-copy">
      <code>
        <Foreign text={text} />
      </code>
      <CopyButton text={text} what={what} iconOnly />
    </span>
  );
}

const NAMES_SHOWN = 12;

function Allowlist({ record }: { readonly record: SchemaRecord }) {
  const { tableAllowlist } = record;
  if (tableAllowlist.length === 0 || tableAllowlist.includes('*')) return <>{allowlistInWords(record)}</>;
  const more = tableAllowlist.length - NAMES_SHOWN;
  return (
    <>
      {tableAllowlist.slice(0, NAMES_SHOWN).map((name, i) => (
        <>
          {i === 0 ? '' : ', '}
          <a key={name} data-page href={hrefOf(pathTo('tables', record.schemaName, name))}>
            <Foreign text={name} />
          </a>
        </>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  );
}
