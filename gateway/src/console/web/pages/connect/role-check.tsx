/** Checks a schema's role step by step; where a step fails, says what mends it, and checks again. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CopyBlock } from '../../components/copy-button.tsx';
import { counted } from '../../components/figures.ts';
import { Foreign } from '../../components/foreign.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/loading.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { validateRole, type RoleValidation, type SchemaRecord } from '../common/schemas.ts';
import { useAction } from '../common/use-action.ts';
import { mendingOf, type Mending } from './checks/mending.ts';
import { stepsOf, type Problem as RoleProblem, type Step } from './checks/steps.ts';
import { draftOfSchema } from './draft.ts';
import { RoleFix } from './role-fix.tsx';

interface RoleCheckProps {
  readonly schema: SchemaRecord;
  /** Null: not known here, so there are no commands with it. */
  readonly penstockAccountId: string | null;
  /** Checks without being asked. */
  readonly atOnce: boolean;
  /** The schema was changed, to mend it. */
  readonly onChange: (schema: SchemaRecord) => void;
  /** Every step has passed. */
  readonly onPassed: () => void;
}

const isAllowlisted = ({ tableAllowlist }: SchemaRecord): boolean => tableAllowlist.length > 0;

function titleOf(name: Step['name'], schema: SchemaRecord): string {
  switch (name) {
    case 'assume':
      return 'Penstock can assume the role';
    case 'external-id':
      return 'Nobody gets in without the external ID';
    case 'tables':
      if (!isAllowlisted(schema)) return 'Tables are looked at when a query first names them';
      return schema.tableAllowlist.includes('*') ? 'The tables can be listed' : 'The tables can be read';
  }
}

const STATE_WORDS: Readonly<Record<Step['state'] | 'running', string>> = Object.freeze({
  passed: 'passed',
  failed: 'failed',
  skipped: 'not tried',
  running: 'under way',
});

function StepIcon({ state }: { readonly state: Step['state'] | 'running' }) {
  if (state === 'running') return <Spinner />;
  if (state === 'skipped') return <span class="check-dot" />;
  return <Icon name={state === 'passed' ? 'check' : 'close'} />;
}

export function RoleCheck({ schema, penstockAccountId, atOnce, onChange, onPassed }: RoleCheckProps) {
  const [found, setFound] = useState<RoleValidation | null>(null);
  const validate = useAction(validateRole);
  const check = async (): Promise<void> => {
    setFound(null);
    const validation = await validate.run(schema.schemaName);
    setFound(validation);
    if (validation?.ok === true) onPassed();
  };
  useEffect(() => {
    if (atOnce) void check();
  }, []);
  const steps = found === null ? null : stepsOf(schema, found);
  const draft = draftOfSchema(schema, penstockAccountId ?? '');
  const isTrust = steps?.some(({ problems }) => problems.some(({ mend }) => mend === 'trust')) === true;
  return (
    <section class="card" aria-label="The role's check" aria-busy={validate.isBusy}>
      <div class="card-head">
        <h2>{headline(validate.isBusy, found)}</h2>
        <Button small busy={validate.isBusy} onClick={() => void check()}>
          {found === null ? 'Check the role' : 'Check again'}
        </Button>
      </div>
      {validate.problem === null ? null : (
        <ProblemNotice title="The role could not be checked" problem={validate.problem} />
      )}
      {steps !== null || validate.isBusy || validate.problem !== null ? null : (
        <p class="hint">
          The check assumes the role, makes sure that nobody can without the external ID, and reads one item
          of each table.
        </p>
      )}
      {steps === null && !validate.isBusy ? null : (
        <ol class="checks" aria-live="polite">
          {(steps ?? RUNNING).map(({ name, state, problems }) => (
            <li key={name} class={`check ${state}`}>
              <span class="check-icon">
                <StepIcon state={state} />
              </span>
              <div>
                <strong>{titleOf(name, schema)}</strong>
                <span class="sr-only">: {STATE_WORDS[state]}</span>
                {problems.map((problem, i) => (
                  <Mend
                    key={i}
                    problem={problem}
                    {...mendingOf(draft, problem)}
                    hasAccount={penstockAccountId !== null}
                  />
                ))}
              </div>
            </li>
          ))}
        </ol>
      )}
      {isTrust ? <RoleFix schema={schema} onChange={onChange} /> : null}
    </section>
  );
}

const RUNNING = (['assume', 'external-id', 'tables'] as const).map((name) => ({
  name,
  state: 'running' as const,
  problems: [] as readonly RoleProblem[],
}));

function headline(isBusy: boolean, found: RoleValidation | null): string {
  if (isBusy) return 'Checking the role';
  if (found === null) return 'The role';
  return found.ok ? 'The role works' : 'The role needs mending';
}

interface MendProps extends Mending {
  readonly problem: RoleProblem;
  readonly hasAccount: boolean;
}

/** One line, however many tables it concerns. */
function saidOf({ text, tables: [first], tableCount }: RoleProblem): string {
  if (first === undefined) return text;
  return `${tableCount === 1 ? first : counted(tableCount, 'table')}: ${text}`;
}

function Mend({ problem, words, causes, commands, hasAccount }: MendProps) {
  const { tables, tableCount } = problem;
  const isTrust = problem.mend === 'trust' || problem.mend === 'external-id-condition';
  return (
    <div class="mend">
      <p class="mend-problem">
        <Foreign text={saidOf(problem)} />
      </p>
      {tableCount < 2 ? null : (
        <details>
          <summary>Which tables</summary>
          <ul class="mend-tables">
            {tables.map((name) => (
              <li key={name}>
                <Foreign text={name} />
              </li>
            ))}
          </ul>
          {tableCount > tables.length ? <p>and {tableCount - tables.length} more.</p> : null}
        </details>
      )}
      {causes === undefined ? null : (
        <>
          <p>AWS does not say which of these it is:</p>
          <ul>
            {causes.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </>
      )}
      <p>{words}</p>
      {commands === null || (isTrust && !hasAccount) ? null : (
        <details>
          <summary>Commands that mend it</summary>
          <CopyBlock text={commands} what="the commands that mend it" />
        </details>
      )}
    </div>
  );
}
