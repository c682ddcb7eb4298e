/** Queries over a table that holds customers, orders, lines and products, of each kind, with constants by choice. */
import type { Choice } from '../../../choice.ts';
import {
  above,
  between,
  call,
  column,
  count,
  equals,
  from,
  join,
  oneOf,
  query,
  startsWith,
} from '../build-query.ts';
import type { QueryKind, WorkloadQuery } from '../query.ts';
import { CITIES, day, numbered, PICKS, STATUSES, type Sizes } from '../values.ts';
import {
  customerKey,
  orderKey,
  productKey,
  PRODUCTS,
  singleCustomers,
  singleOrders,
} from '../single-table.ts';

type Form = (choice: Choice, sizes: Sizes) => WorkloadQuery;

const THINGS = 'single_things';
const PICKS_TABLE = 'single_picks';
const customerOf = (choice: Choice, sizes: Sizes): string =>
  customerKey(choice.int(singleCustomers(sizes) + 10));
const statusOf = (choice: Choice): string => `STATUS#${choice.pick(STATUSES)}`;
const several = <T>(choice: Choice, max: number, one: () => T): readonly T[] =>
  Array.from({ length: 1 + choice.int(max) }, one);

const joins: readonly Form[] = [
  // The orders of customers who live somewhere
  (choice) => {
    const living = from(THINGS, 'c', equals('g1pk', numbered('CITY#', choice.int(CITIES + 2))));
    const outputs = [column('c', 'pk'), column('o', 'amount'), column('o', 'pad')];
    return query('joins', [living, from(THINGS, 'o', startsWith('sk', 'ORDER#'))], outputs, {
      edges: [join(['c', 'pk'], ['o', 'pk'])],
    });
  },
  // The lines of a customer's orders
  (choice, sizes) => {
    const own = from(THINGS, 'o', equals('pk', customerOf(choice, sizes)), startsWith('sk', 'ORDER#'));
    return query('joins', [own, from(THINGS, 'l')], [column('o', 'sk'), column('l', 'quantity')], {
      edges: [join(['o', 'ref'], ['l', 'pk'])],
    });
  },
  (choice) => {
    const few = from(PICKS_TABLE, 'p', above('weight', choice.int(PICKS)));
    return query('joins', [few, from(THINGS, 'l')], [column('p', 'id'), column('l', 'pad')], {
      edges: [join(['p', 'ref'], ['l', 'pk'])],
    });
  },
  () =>
    query('joins', [from(PICKS_TABLE, 'p'), from(THINGS, 'o')], [column('p', 'id'), column('o', 'amount')], {
      edges: [join(['p', 'ref'], ['o', 'ref'])],
    }),
  (choice) => {
    const few = from(PICKS_TABLE, 'p', above('weight', choice.int(PICKS + 2)));
    const edges = [join(['o', 'pk'], ['p', 'customer'], 'semi')];
    return query('joins', [from(THINGS, 'o', startsWith('sk', 'ORDER#')), few], [count('o')], { edges });
  },
  // The profiles of those whose orders are of a status
  (choice) => {
    const orders = from(THINGS, 'o', equals('g1pk', statusOf(choice)), above('g1sk', day(choice.int(366))));
    const profiles = from(THINGS, 'c', equals('sk', 'PROFILE'));
    return query('joins', [orders, profiles], [column('o', 'amount'), column('c', 'tier')], {
      edges: [join(['o', 'pk'], ['c', 'pk'])],
    });
  },
];

const lists: readonly Form[] = [
  (choice, sizes) => {
    const who = oneOf(
      'pk',
      several(choice, choice.maybe(0.7) ? 8 : 80, () => customerOf(choice, sizes)),
    );
    return query('IN lists', [from(THINGS, 'o', who)], [column('o', 'sk'), column('o', 'pad')]);
  },
  (choice, sizes) => {
    const who = oneOf(
      'pk',
      several(choice, 120, () => customerOf(choice, sizes)),
    );
    return query('IN lists', [from(THINGS, 'c', who, equals('sk', 'PROFILE'))], [column('c', 'tier')]);
  },
  (choice) => {
    const what = oneOf(
      'g1pk',
      several(choice, 3, () => statusOf(choice)),
    );
    return query('IN lists', [from(THINGS, 'o', what)], [column('o', 'g1sk'), column('o', 'amount')]);
  },
  (choice, sizes) => {
    const refs = oneOf(
      'ref',
      several(choice, 40, () => orderKey(choice.int(singleOrders(sizes)))),
    );
    return query('IN lists', [from(THINGS, 'o', refs)], [column('o', 'pk'), column('o', 'pad')]);
  },
];

const ranges: readonly Form[] = [
  (choice, sizes) => {
    const low = choice.int(singleOrders(sizes));
    const some = between('sk', orderKey(low), orderKey(low + choice.int(400)));
    return query(
      'ranges',
      [from(THINGS, 'o', equals('pk', customerOf(choice, sizes)), some)],
      [column('o', 'amount'), column('o', 'pad')],
    );
  },
  (choice) => {
    const low = choice.int(360);
    const when = between('g1sk', day(low), day(Math.min(low + choice.int(60), 365)));
    return query(
      'ranges',
      [from(THINGS, 'o', equals('g1pk', statusOf(choice)), when)],
      [column('o', 'g1sk'), column('o', 'pad')],
    );
  },
  (choice, sizes) => {
    const product = equals('g1pk', productKey(choice.int(PRODUCTS)));
    return query(
      'ranges',
      [from(THINGS, 'l', product, above('g1sk', orderKey(choice.int(singleOrders(sizes)))))],
      [column('l', 'pk'), column('l', 'quantity')],
    );
  },
];

const limits: readonly Form[] = [
  (choice, sizes) => {
    const own = from(
      THINGS,
      'o',
      equals('pk', customerOf(choice, sizes)),
      startsWith('sk', 'ORDER#'),
      above('amount', choice.int(10_000)),
    );
    return query('LIMIT with filters', [own], [column('o', 'sk'), column('o', 'pad')], {
      order: { column: 'sk', descending: choice.maybe(0.5) },
      limit: choice.pick([1, 3, 10]),
    });
  },
  (choice) => {
    const rich = from(THINGS, 'o', equals('g1pk', statusOf(choice)), above('amount', choice.int(10_000)));
    return query('LIMIT with filters', [rich], [column('o', 'g1sk'), column('o', 'amount')], {
      order: { column: 'g1sk', descending: true },
      limit: choice.pick([1, 3, 10, 25]),
    });
  },
  (choice) =>
    query(
      'LIMIT with filters',
      [from(THINGS, 'x', equals('kind', choice.pick(['customer', 'order', 'line', 'product'])))],
      [column('x', 'pk'), column('x', 'pad')],
      { limit: choice.pick([1, 5, 20]) },
    ),
];

const aggregates: readonly Form[] = [
  () => query('aggregates', [from(THINGS, 'x')], [count('x')], { groupBy: [['x', 'kind']] }),
  (choice) => query('aggregates', [from(THINGS, 'o', equals('g1pk', statusOf(choice)))], [count('o')]),
  (choice) =>
    query('aggregates', [from(THINGS, 'o', equals('g1pk', statusOf(choice)))], [call('SUM', 'o', 'amount')]),
  (choice) =>
    query('aggregates', [from(THINGS, 'o', equals('g1pk', statusOf(choice)))], [call('MAX', 'o', 'g1sk')]),
  (choice, sizes) =>
    query(
      'aggregates',
      [from(THINGS, 'o', equals('pk', customerOf(choice, sizes)), startsWith('sk', 'ORDER#'))],
      [call('AVG', 'o', 'amount')],
    ),
];

export const SINGLE_FORMS: Readonly<Record<QueryKind, readonly Form[]>> = Object.freeze({
  joins: joins,
  'IN lists': lists,
  ranges: ranges,
  'LIMIT with filters': limits,
  aggregates: aggregates,
});
