/** Prisma's client with its driver for PostgreSQL: conditions, relations by joins and by queries, documents, transactions. */
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/index.js';

const { PGUSER, PGPASSWORD, PGHOST, PGPORT, PGDATABASE } = process.env;
const connectionString = `postgresql://${PGUSER}:${PGPASSWORD}@${PGHOST}:${PGPORT}/${PGDATABASE}`;
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
const { events, things } = prisma;

async function check(name, work, expected) {
  const got = await work().then(
    (value) => JSON.stringify(value),
    (error) => `${error.constructor.name} ${String(error.message).split(/\s+/).join(' ')}`,
  );
  const wanted = JSON.stringify(expected);
  process.stdout.write(
    got === wanted ? `ok ${name}\n` : `FAILED ${name}: expected ${wanted}, got ${got}\n`.slice(0, 600),
  );
}
const ids = (where) => async () =>
  (await things.findMany({ where, orderBy: { id: 'asc' } })).map(({ id }) => id);
const ticks = (query) => async () =>
  (await events.findMany({ orderBy: { tick: 'asc' }, ...query })).map(({ tick }) => Number(tick));
const asked = (path, test) => ids({ address: { path, ...test } });

await check('findUnique', async () => (await things.findUnique({ where: { id: 'full' } })).amount, '7');
await check(
  'bytes',
  async () => Buffer.from((await things.findUnique({ where: { id: 'full' } })).raw).toString('hex'),
  '00017f80ff',
);
await check('conditions', ticks({ where: { device: 'd1', tick: { lt: 12 } } }), [1, 6, 11]);
await check('count', () => events.count({ where: { level: 'low' } }), 1250);
await check('contains', ids({ name: { contains: 'Grü' } }), ['full']);
await check('startsWith in any case', ids({ name: { startsWith: 'grü', mode: 'insensitive' } }), ['full']);
await check('in and NOT', ids({ id: { in: ['full', 'empty'] }, NOT: { amount: null } }), ['full']);
await check(
  'groupBy',
  () => events.groupBy({ by: ['level'], _count: true, _sum: { tick: true }, orderBy: { level: 'asc' } }),
  [
    { _count: 1250, _sum: { tick: '1562500' }, level: 'high' },
    { _count: 1250, _sum: { tick: '1561250' }, level: 'low' },
  ],
);
await check('aggregate', () => events.aggregate({ _max: { tick: true }, _avg: { tick: true } }), {
  _max: { tick: '2499' },
  _avg: { tick: '1249.5' },
});
for (const relationLoadStrategy of ['join', 'query']) {
  const query = {
    relationLoadStrategy,
    where: { device: 'd1', tick: 1 },
    select: { tick: true, thing: { select: { id: true } } },
  };
  await check(`a relation by ${relationLoadStrategy}`, () => events.findMany(query), [
    { tick: '1', thing: null },
  ]);
  const lists = {
    relationLoadStrategy,
    where: { id: 'full' },
    select: { id: true, events: { take: 2, orderBy: { tick: 'asc' } } },
  };
  await check(`lists by ${relationLoadStrategy}`, () => things.findMany(lists), [{ id: 'full', events: [] }]);
}
await check(
  'some and none',
  async () => [
    await things.count({ where: { events: { some: {} } } }),
    await things.count({ where: { events: { none: {} } } }),
  ],
  [0, 12],
);
await check(
  'a cursor',
  ticks({ where: { device: 'd0' }, cursor: { device_tick: { device: 'd0', tick: 5 } }, take: 2 }),
  [5, 10],
);
await check(
  'distinct',
  () => events.findMany({ distinct: ['level'], orderBy: { level: 'asc' }, select: { level: true } }),
  [{ level: 'high' }, { level: 'low' }],
);
await check('a text in a document', asked(['zip'], { equals: '1000' }), ['full']);
await check('another text in a document', asked(['zip'], { not: '1' }), ['full']);
await check('a number in a document', asked(['floor'], { equals: 3 }), ['full']);
await check('a range of numbers in documents', asked(['floor'], { gte: 3, lt: 4 }), ['full']);
await check('a part of a text in a document', asked(['zip'], { string_contains: '00' }), ['full']);
await check('a whole document', ids({ address: { equals: { floor: 3, zip: '1000' } } }), ['full']);
await check('an element of no list', asked(['zip'], { array_contains: 'a' }), []);
await check(
  'a statement of one’s own',
  () => prisma.$queryRaw`SELECT count(*)::int AS n FROM shop.events WHERE device = ${'d1'}`,
  [{ n: 500 }],
);
await check('a transaction', () => prisma.$transaction([things.count(), events.count()]), [12, 2500]);
await check(
  'a transaction of calls',
  () => prisma.$transaction(async (inside) => (await inside.things.findFirst({ where: { id: 'empty' } })).id),
  'empty',
);
await check(
  'a count of a relation',
  () => things.findMany({ where: { id: 'full' }, select: { _count: { select: { events: true } } } }),
  [{ _count: { events: 0 } }],
);
await prisma.$disconnect();
process.stdout.write('done\n');
