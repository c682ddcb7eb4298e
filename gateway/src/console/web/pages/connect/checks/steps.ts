/**
 * What `validate-role` found, as the steps that it goes: the role is assumed; nobody gets in without the external ID;
 * each table is read. The API answers in one sentence (`message`), whose forms are those of the registry's
 * `roles/` folder; a test holds this file against them. A form that is not known is shown as it came.
 */

/** The schema that was checked, as far as the steps need it. */
export interface CheckedSchema {
  readonly roleArn: string;
  readonly region: string;
  readonly tableAllowlist: readonly string[];
}

export interface RoleValidation {
  readonly ok: boolean;
  readonly message: string;
}

/** What a customer has to do, by kind; `mending.ts` has the words and the commands. */
export type Mend =
  | 'trust'
  | 'external-id-condition'
  | 'own-account'
  | 'permissions'
  | 'index-permissions'
  | 'list-tables'
  | 'kms'
  | 'archived'
  | 'missing-table'
  | 'region'
  | 'again';

export interface Problem {
  /** The registry's own words. */
  readonly text: string;
  readonly mend: Mend;
  /** The tables that it concerns, as far as they are named; none: it is not about tables, or about all. */
  readonly tables: readonly string[];
  /** The number of tables that the line concerns. */
  readonly tableCount: number;
}

export interface Step {
  readonly name: 'assume' | 'external-id' | 'tables';
  /** `skipped`: an earlier step failed, so it was not tried; or there is nothing to try. */
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly problems: readonly Problem[];
}

const NO_TABLES = Object.freeze({ tables: Object.freeze([] as string[]), tableCount: 0 });

const LISTING = 'Listing tables, which the allowlist * needs: ';

const isAbout = (message: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => message.startsWith(beginning));

/** The steps in their order. */
export function stepsOf(schema: CheckedSchema, { ok, message }: RoleValidation): readonly Step[] {
  const untried = schema.tableAllowlist.length === 0 ? 'skipped' : 'passed';
  if (ok) return [stepOf('assume', 'passed'), stepOf('external-id', 'passed'), stepOf('tables', untried)];
  const assume = assumeProblem(message);
  if (assume !== null) {
    return [
      stepOf('assume', 'failed', assume),
      stepOf('external-id', 'skipped'),
      stepOf('tables', 'skipped'),
    ];
  }
  const [externalId, tables] = halves(message);
  return [
    stepOf('assume', 'passed'),
    externalId === null
      ? stepOf('external-id', 'passed')
      : stepOf('external-id', 'failed', {
          text: externalId,
          mend: externalId.startsWith('Whether ') ? 'again' : 'external-id-condition',
          ...NO_TABLES,
        }),
    tables === null
      ? stepOf('tables', untried)
      : stepOf('tables', 'failed', ...tableProblems(schema, tables)),
  ];
}

function stepOf(name: Step['name'], state: Step['state'], ...problems: Problem[]): Step {
  return { name, state, problems };
}

function assumeProblem(message: string): Problem | null {
  if (isAbout(message, ['roleArn must not be'])) return { text: message, mend: 'own-account', ...NO_TABLES };
  if (isAbout(message, ['The role could not be checked']))
    return { text: message, mend: 'again', ...NO_TABLES };
  return /^The role \S+ could not be assumed/.test(message)
    ? { text: message, mend: 'trust', ...NO_TABLES }
    : null;
}

/** What is said of the external ID, and what of the tables. The former ends where its sentence does. */
function halves(message: string): readonly [externalId: string | null, tables: string | null] {
  if (!isAbout(message, ['The role can be assumed with', 'Whether the role asks'])) return [null, message];
  const end = message.startsWith('The role') ? message.indexOf('to its trust policy') : -1;
  const cut = end === -1 ? message.indexOf('. ') : message.indexOf('. ', end);
  return cut === -1 ? [message, null] : [message.slice(0, cut), message.slice(cut + 2)];
}

const TABLE_MENDS: readonly (readonly [RegExp, Mend])[] = [
  [/KMS key/, 'kms'],
  [/archived/, 'archived'],
  [/ on its indexes /, 'index-permissions'],
  [/may not perform dynamodb:ListTables/, 'list-tables'],
  [/may not perform /, 'permissions'],
  [/no such table/, 'missing-table'],
  [/could not be reached/, 'region'],
];

const mendOf = (text: string): Mend => TABLE_MENDS.find(([form]) => form.test(text))?.[1] ?? 'again';

/** A table's name has neither a colon nor a blank. */
const PARTS = /; (?=(?:[\w.-]+(?:, [\w.-]+)*(?: and \d+ more)?: |and \d+ more$))/;

/** `orders, customers and 46 more: there is no …; events: the role may not …; and 3 more`. */
function tableProblems({ tableAllowlist }: CheckedSchema, message: string): readonly Problem[] {
  if (message.startsWith(LISTING)) {
    const text = message.slice(LISTING.length);
    return [{ text, mend: mendOf(text), ...NO_TABLES }];
  }
  const known = new Set(tableAllowlist);
  return message.split(PARTS).map((part) => {
    const [said = '', ...rest] = part.split(': ');
    const [, listed = said, more = '0'] = /^(.+) and (\d+) more$/.exec(said) ?? [];
    const named = listed.split(', ');
    if (rest.length === 0 || !named.every((name) => known.has(name)))
      return { text: part, mend: mendOf(part), ...NO_TABLES };
    const text = rest.join(': ');
    const tableCount = named.length + Number(more);
    // Those that the registry only counts are known where they are all that there are.
    const tables = tableCount === known.size ? [...known] : named;
    return { text, mend: mendOf(text), tables, tableCount };
  });
}
