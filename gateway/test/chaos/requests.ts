/** The mix of requests, each with what a right answer to it is. */
import type { Envelope, QueryEnvelope } from '../e2e/support/tenant.ts';
import type { HttpAnswer } from '../e2e/support/http.ts';
import type { Random } from './random.ts';
import { CUSTOMERS, customerId, customerName, ORDERS_EACH, orderTotal, type ChaosTenant } from './tenants.ts';

/** A statement, and what it must be answered when nothing is in the way. */
export interface QueryCase {
  readonly kind: 'query';
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Null when the answer is right, else what is wrong with it. */
  readonly check: (answer: HttpAnswer<QueryEnvelope>) => string | null;
}

/** A request that is not metered. */
export interface OtherCase {
  readonly kind: 'other';
  readonly name: string;
  readonly send: () => Promise<HttpAnswer<Envelope>>;
  readonly check: (answer: HttpAnswer<Envelope>) => string | null;
}

const PAGE = 7;
const everyCustomer = Array.from({ length: CUSTOMERS }, (_, c) => c);

function rows(
  name: string,
  body: Readonly<Record<string, unknown>>,
  expected: readonly (readonly unknown[])[],
  resumeIdx?: number,
): QueryCase {
  const check: QueryCase['check'] = ({ status, body: { success, data } }) => {
    if (status !== 200 || !success) return 'no rows';
    if (JSON.stringify(data?.data) !== JSON.stringify(expected)) return 'other rows';
    return data?.resumeIdx === resumeIdx ? null : 'another resumeIdx';
  };
  return { kind: 'query', name, body, check };
}

function refusal(name: string, sql: string, status: number, begins: string): QueryCase {
  const check: QueryCase['check'] = (answer) =>
    answer.status === status && !answer.body.success && (answer.body.error ?? '').startsWith(begins)
      ? null
      : 'not refused as it should be';
  return { kind: 'query', name, body: { sql }, check };
}

function page(firstRowIdx: number): QueryCase {
  const body = {
    sql: 'SELECT id FROM shop.customers ORDER BY id',
    options: { maxRows: PAGE, resumeIdx: firstRowIdx },
  };
  const expected = everyCustomer.slice(firstRowIdx, firstRowIdx + PAGE).map((c) => [customerId(c)]);
  return rows('page', body, expected, expected.length === PAGE ? firstRowIdx + PAGE : undefined);
}

function join(marker: string, c: number): QueryCase {
  const sql =
    'SELECT c.name, o.no, o.total FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id ' +
    `WHERE c.id = '${customerId(c)}' ORDER BY o.no`;
  const expected = Array.from({ length: ORDERS_EACH }, (_, no) => [
    customerName(marker, c),
    no,
    orderTotal(c, no),
  ]);
  return rows('join', { sql }, expected);
}

function aggregate(): QueryCase {
  const sql = 'SELECT no, COUNT(*), SUM(total) FROM shop.orders GROUP BY no ORDER BY no';
  const expected = Array.from({ length: ORDERS_EACH }, (_, no) => [
    no,
    CUSTOMERS,
    everyCustomer.reduce((sum, c) => sum + orderTotal(c, no), 0),
  ]);
  return rows('aggregate', { sql }, expected);
}

const plan: QueryCase = {
  kind: 'query',
  name: 'plan',
  body: { sql: 'SELECT * FROM shop.orders', mode: 'plan' },
  check: ({ status, body }) => (status === 200 && body.data?.plan !== undefined ? null : 'no plan'),
};

function point(marker: string, c: number): QueryCase {
  const sql = `SELECT name FROM shop.customers WHERE id = '${customerId(c)}'`;
  return rows('point', { sql }, [[customerName(marker, c)]]);
}

const refusals: readonly QueryCase[] = [
  refusal('parse error', 'SELEC name FROM shop.customers', 400, 'Parse error'),
  refusal('unknown column', 'SELECT nope FROM shop.customers', 200, 'Column not found: nope'),
  // Fails on a value, once the table has been read: its units count, though no answer says them.
  refusal('wrong cast', 'SELECT CAST(name AS INTEGER) FROM shop.customers', 200, 'Conversion failed'),
];

/** One statement; a seed gives the same ones in the same order. Key reads are the most, as they are for customers. */
export function nextQuery(random: Random, { marker }: ChaosTenant): QueryCase {
  const c = random.below(CUSTOMERS);
  return random.pick([
    ...Array.from({ length: 4 }, () => point(marker, c)),
    ...Array.from({ length: 2 }, () => join(marker, c)),
    ...Array.from({ length: 2 }, () => aggregate()),
    ...Array.from({ length: 2 }, () => page(PAGE * random.below(5))),
    plan,
    ...refusals,
  ]);
}

/** One of each kind. */
export function everyQuery({ marker }: ChaosTenant): readonly QueryCase[] {
  return [point(marker, 1), join(marker, 2), aggregate(), page(0), plan, ...refusals];
}

/** Requests to the other parts. */
export function everyOther({ tenant }: ChaosTenant): readonly OtherCase[] {
  const get = (path: string, has: string): OtherCase => ({
    kind: 'other',
    name: path,
    send: () => tenant.call('GET', path),
    check: ({ status, body }) =>
      status === 200 && body.data !== undefined && has in body.data ? null : `no ${has}`,
  });
  const token: OtherCase = {
    kind: 'other',
    name: '/v1/auth/token',
    send: () => tenant.call('POST', '/v1/auth/token', { json: tenant.credentials }),
    check: ({ status, body }) =>
      status === 200 && body.data !== undefined && 'accessToken' in body.data ? null : 'no token',
  };
  return [get('/v1/schemas', 'items'), get('/v1/usage/summary', 'totals'), token];
}
