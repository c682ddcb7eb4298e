/** Queries over customers and their orders, of each kind, with constants by choice. */
import type { Choice } from '../../../choice.ts';
import { above, between, call, column, count, equals, from, join, oneOf, query } from '../build-query.ts';
import type { QueryKind, WorkloadQuery } from '../query.ts';
import type { Shape } from '../shapes.ts';
import { CITIES, day, numbered, PICKS, REGIONS, STATUSES, type Sizes } from '../values.ts';

type Form = (choice: Choice, sizes: Sizes) => WorkloadQuery;

/** Customers with orders come first in all shapes; some have none. */
const customerOf = (choice: Choice, { customers, buyers }: Sizes): string =>
  numbered('c', choice.int(choice.maybe(0.3) ? customers : buyers));
const refOf = (choice: Choice, { orders }: Sizes): string => numbered('r', choice.int(orders), 4);
const several = <T>(choice: Choice, max: number, one: () => T): readonly T[] =>
  Array.from({ length: 1 + choice.int(max) }, one);
/** A few, or many. */
const someOf = <T>(choice: Choice, few: number, many: number, one: () => T): readonly T[] =>
  several(choice, choice.maybe(0.7) ? few : many, one);

function joins(orders: string, customers: string, picks: string): readonly Form[] {
  const ofCustomer = join(['c', 'id'], ['o', 'customer']);
  return [
    () =>
      query('joins', [from(picks, 'p'), from(orders, 'o')], [column('p', 'id'), column('o', 'pad')], {
        edges: [join(['p', 'ref'], ['o', 'ref'])],
      }),
    (choice) => {
      const few = from(picks, 'p', above('weight', choice.int(PICKS)));
      const edges = [join(['p', 'customer'], ['o', 'customer'])];
      return query('joins', [few, from(orders, 'o')], [count('o'), call('SUM', 'o', 'quantity')], { edges });
    },
    (choice) => {
      const living = from(customers, 'c', equals('city', numbered('t', choice.int(CITIES + 3))));
      const outputs = [column('c', 'id'), column('o', 'placed'), column('o', 'pad')];
      return query('joins', [living, from(orders, 'o')], outputs, { edges: [ofCustomer] });
    },
    (choice, sizes) => {
      const named = from(
        customers,
        'c',
        oneOf(
          'id',
          someOf(choice, 6, 60, () => customerOf(choice, sizes)),
        ),
      );
      const since = from(orders, 'o', above('placed', day(choice.int(366))));
      return query('joins', [named, since], [column('c', 'tier'), column('o', 'amount')], {
        edges: [ofCustomer],
      });
    },
    (choice) => {
      const gold = from(customers, 'c', equals('tier', choice.pick(['gold', 'gold', 'silver'])));
      return query('joins', [gold, from(orders, 'o')], [count('o')], { edges: [ofCustomer] });
    },
    (choice, sizes) => {
      const some = from(
        orders,
        'o',
        equals('customer', customerOf(choice, sizes)),
        above('quantity', choice.int(22)),
      );
      const outputs = [column('o', 'ref'), column('c', 'city')];
      const edges = [join(['o', 'customer'], ['c', 'id'])];
      return query('joins', [some, from(customers, 'c')], outputs, { edges });
    },
    (choice) => {
      const few = from(picks, 'p', above('weight', choice.int(PICKS + 2)));
      const edges = [join(['o', 'customer'], ['p', 'customer'], 'semi')];
      return query('joins', [from(orders, 'o'), few], [column('o', 'ref'), column('o', 'pad')], { edges });
    },
    () => {
      const gold = from(customers, 'c', equals('tier', 'gold'));
      const edges = [join(['p', 'customer'], ['c', 'id']), ofCustomer];
      return query('joins', [from(picks, 'p'), gold, from(orders, 'o')], [count('o')], { edges });
    },
    (choice) => {
      const living = from(customers, 'c', equals('city', numbered('t', choice.int(CITIES))));
      const edges = [join(['c', 'id'], ['o', 'customer'], 'left')];
      return query('joins', [living, from(orders, 'o')], [column('c', 'id'), column('o', 'ref')], { edges });
    },
    (choice) => {
      const rare = from(
        orders,
        'o',
        equals('status', choice.pick(STATUSES)),
        above('placed', day(choice.int(366))),
      );
      const edges = [join(['o', 'customer'], ['c', 'id'])];
      return query('joins', [rare, from(customers, 'c')], [column('o', 'amount'), column('c', 'city')], {
        edges,
      });
    },
  ];
}

function lists(orders: string): readonly Form[] {
  const outputs = [column('o', 'ref'), column('o', 'pad')];
  return [
    (choice, sizes) =>
      query(
        'IN lists',
        [
          from(
            orders,
            'o',
            oneOf(
              'customer',
              someOf(choice, 5, 60, () => customerOf(choice, sizes)),
            ),
          ),
        ],
        outputs,
      ),
    (choice, sizes) =>
      query(
        'IN lists',
        [
          from(
            orders,
            'o',
            oneOf(
              'ref',
              someOf(choice, 12, 500, () => refOf(choice, sizes)),
            ),
          ),
        ],
        outputs,
      ),
    (choice, sizes) => {
      const numbers = oneOf(
        'number',
        several(choice, 8, () => choice.int(60)),
      );
      const who = oneOf(
        'customer',
        several(choice, 10, () => customerOf(choice, sizes)),
      );
      return query('IN lists', [from(orders, 'o', who, numbers)], outputs);
    },
    (choice) => {
      const what = oneOf(
        'status',
        several(choice, 3, () => choice.pick(STATUSES)),
      );
      const read = [column('o', 'placed'), column('o', 'amount')];
      return query('IN lists', [from(orders, 'o', what, above('quantity', choice.int(20)))], read);
    },
    (choice) => {
      const where = oneOf(
        'region',
        several(choice, 3, () => choice.pick(REGIONS)),
      );
      return query('IN lists', [from(orders, 'o', where, above('amount', 9000 + choice.int(1000)))], outputs);
    },
  ];
}

function ranges(orders: string): readonly Form[] {
  const outputs = [column('o', 'ref'), column('o', 'pad')];
  return [
    (choice, sizes) => {
      const low = choice.int(80);
      const numbers = between('number', low, low + choice.int(60));
      return query(
        'ranges',
        [from(orders, 'o', equals('customer', customerOf(choice, sizes)), numbers)],
        outputs,
      );
    },
    (choice) => {
      const [low, days] = [choice.int(366), choice.maybe(0.5) ? choice.int(10) : choice.int(366)];
      const when = between('placed', day(low), day(Math.min(low + days, 365)));
      return query(
        'ranges',
        [from(orders, 'o', equals('status', choice.pick(STATUSES)), when)],
        [column('o', 'placed'), column('o', 'quantity')],
      );
    },
    (choice) => {
      const low = choice.int(10_000);
      const amounts = between('amount', low, low + (choice.maybe(0.5) ? 50 : choice.int(4000)));
      return query('ranges', [from(orders, 'o', equals('region', choice.pick(REGIONS)), amounts)], outputs);
    },
    (choice, sizes) => {
      const amounts = above('amount', choice.int(10_000));
      return query(
        'ranges',
        [from(orders, 'o', equals('customer', customerOf(choice, sizes)), amounts)],
        outputs,
      );
    },
    (choice, sizes) => {
      const low = choice.int(360);
      const when = between('placed', day(low), day(low + choice.int(5)));
      return query(
        'ranges',
        [from(orders, 'o', equals('customer', customerOf(choice, sizes)), when)],
        outputs,
      );
    },
  ];
}

function limits(orders: string): readonly Form[] {
  const first = (choice: Choice): number => choice.pick([1, 3, 10, 25]);
  const read = (by: string) => [column('o', by), column('o', 'pad')];
  const kind = 'LIMIT with filters';
  return [
    (choice, sizes) =>
      query(
        kind,
        [
          from(
            orders,
            'o',
            equals('customer', customerOf(choice, sizes)),
            equals('region', choice.pick(REGIONS)),
          ),
        ],
        read('number'),
        { order: { column: 'number', descending: choice.maybe(0.5) }, limit: first(choice) },
      ),
    (choice) =>
      query(
        kind,
        [from(orders, 'o', equals('status', choice.pick(STATUSES)), above('quantity', 10 + choice.int(11)))],
        [column('o', 'placed'), column('o', 'quantity')],
        { order: { column: 'placed', descending: choice.maybe(0.5) }, limit: first(choice) },
      ),
    (choice) =>
      query(
        kind,
        [from(orders, 'o', equals('status', choice.pick(STATUSES)), equals('region', choice.pick(REGIONS)))],
        read('placed'),
        { order: { column: 'placed', descending: true }, limit: first(choice) },
      ),
    (choice) =>
      query(
        kind,
        [from(orders, 'o', equals('region', choice.pick(REGIONS)), equals('status', choice.pick(STATUSES)))],
        read('amount'),
        { order: { column: 'amount', descending: true }, limit: first(choice) },
      ),
    (choice) =>
      query(kind, [from(orders, 'o', equals('status', choice.pick(STATUSES)))], read('ref'), {
        limit: first(choice),
      }),
    (choice, sizes) =>
      query(
        kind,
        [
          from(
            orders,
            'o',
            equals('customer', customerOf(choice, sizes)),
            above('quantity', 1 + choice.int(20)),
          ),
        ],
        read('amount'),
        { order: { column: 'amount', descending: true }, limit: first(choice) },
      ),
  ];
}

function aggregates(orders: string): readonly Form[] {
  const kind = 'aggregates';
  return [
    () => query(kind, [from(orders, 'o')], [count('o')]),
    (choice) => query(kind, [from(orders, 'o', equals('status', choice.pick(STATUSES)))], [count('o')]),
    (choice, sizes) =>
      query(
        kind,
        [from(orders, 'o', equals('customer', customerOf(choice, sizes)))],
        [call('SUM', 'o', 'amount')],
      ),
    (choice, sizes) =>
      query(
        kind,
        [from(orders, 'o', equals('customer', customerOf(choice, sizes)))],
        [call('MAX', 'o', 'amount')],
      ),
    (choice) =>
      query(kind, [from(orders, 'o', equals('region', choice.pick(REGIONS)))], [call('MAX', 'o', 'amount')]),
    (choice) =>
      query(kind, [from(orders, 'o', equals('status', choice.pick(STATUSES)))], [call('MIN', 'o', 'placed')]),
    () => query(kind, [from(orders, 'o')], [call('AVG', 'o', 'quantity')], { groupBy: [['o', 'status']] }),
    (choice) => {
      const amounts = between('amount', choice.int(3000), 6000 + choice.int(4000));
      return query(kind, [from(orders, 'o', equals('region', choice.pick(REGIONS)), amounts)], [count('o')]);
    },
  ];
}

export function ordersForms(shape: Exclude<Shape, 'single'>): Readonly<Record<QueryKind, readonly Form[]>> {
  const [orders, customers, picks] = [`${shape}_orders`, `${shape}_customers`, `${shape}_picks`];
  return {
    joins: joins(orders, customers, picks),
    'IN lists': lists(orders),
    ranges: ranges(orders),
    'LIMIT with filters': limits(orders),
    aggregates: aggregates(orders),
  };
}
