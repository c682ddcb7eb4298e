/** From nothing to a schema: where the tables are, a role that lets Penstock in, and the check that it does. */
import { useEffect, useState } from 'preact/hooks';
import type { ConnectGuide } from '../../../api/connect.ts';
import { PATHS } from '../../../api/paths.ts';
import { hrefOf, navigate, pathTo, place } from '../../app/router.ts';
import { session } from '../../app/session.ts';
import { createSchema, SCHEMAS_PATH, type SchemaRecord } from '../common/schemas.ts';
import { PageHead } from '../common/page-head.tsx';
import { Shown } from '../common/shown.tsx';
import { useAction } from '../common/use-action.ts';
import { useList, usePath } from '../common/use-asked.ts';
import { AccountStep } from './account-step.tsx';
import { allowlistOf, arnOf, forgetValues, keepValues, keptValues, type WizardValues } from './draft.ts';
import { RoleStep } from './role-step.tsx';
import { StepTrail } from './step-trail.tsx';

const STEP_TITLES = ['Tables', 'Role', 'Check'] as const;

/** @param isFirst whether the tenant has no schema yet: then this is what the Connect page is */
export function Wizard({ isFirst = false }: { readonly isFirst?: boolean }) {
  const { tenantId } = session.value.tenant;
  const [values, setValues] = useState<WizardValues>(() => keptValues(tenantId));
  const [nameRefused, setNameRefused] = useState('');
  const schemas = useList<SchemaRecord>(SCHEMAS_PATH);
  const namesTaken = [...(schemas.value ?? []).map(({ schemaName }) => schemaName), nameRefused];
  const guide = usePath<ConnectGuide>(PATHS.connect);
  const create = useAction(createSchema);
  useEffect(() => keepValues(tenantId, values), [values]);
  const isAtRole = place.value.search.get('step') === 'role' && values.schemaName !== '';
  const at = isAtRole ? 1 : 0;

  const finish = async (): Promise<void> => {
    const { schemaName, region, accountId, externalId } = values;
    const made = await create.run({
      schemaName,
      region,
      accountId,
      externalId,
      roleArn: arnOf(values),
      tableAllowlist: allowlistOf(values),
    });
    if (made === null) return;
    forgetValues();
    navigate(`${pathTo('connect', 'schemas', made.schemaName)}?check=1`, { replace: true });
  };

  useEffect(() => {
    if (create.problem?.code !== 'SCHEMA_ALREADY_EXISTS') return;
    setNameRefused(values.schemaName);
    create.clear();
    navigate('connect/new', { replace: true });
  }, [create.problem]);

  return (
    <div class="page wizard">
      <PageHead
        title={isFirst ? 'Connect your first account' : 'Connect an account'}
        lead="Penstock reads your tables through a role in your own AWS account. It keeps no keys, writes nothing, and you can end it at any time."
      >
        {isFirst ? null : (
          <a class="button" data-page href={hrefOf('connect')}>
            Cancel
          </a>
        )}
      </PageHead>
      <StepTrail titles={STEP_TITLES} at={at} />
      <Shown asked={guide} what="what is needed">
        {({ serviceAccountId, templateUrl, template }) =>
          isAtRole ? (
            <RoleStep
              values={values}
              onValues={setValues}
              penstockAccountId={serviceAccountId ?? values.penstockAccountId}
              template={{ url: templateUrl, text: template }}
              onBack={() => navigate('connect/new')}
              onDone={() => void finish()}
              isBusy={create.isBusy}
              problem={create.problem}
            />
          ) : (
            <AccountStep
              start={values}
              namesTaken={namesTaken}
              asksForPenstock={serviceAccountId === null}
              onDone={(filled) => {
                setValues(filled);
                // At once: the page of a first schema gives way to another instance of this one.
                keepValues(tenantId, filled);
                navigate('connect/new?step=role');
              }}
            />
          )
        }
      </Shown>
    </div>
  );
}
