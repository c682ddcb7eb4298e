"""asyncpg with its defaults: a pool, which looks types up and resets connections; statements that it prepares and keeps; cursors."""
import asyncio
from decimal import Decimal

import asyncpg

from checks import Checks

checks = Checks()
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
pool = loop.run_until_complete(asyncpg.create_pool(min_size=1, max_size=3, ssl=False))


def check(name, work, expected=None, error=None):
    async def within():
        async with pool.acquire() as connection:
            return await work(connection)

    checks.check(name, lambda: loop.run_until_complete(within()), expected, error)


async def rows(connection):
    return [tuple(row) for row in await connection.fetch("SELECT id, amount FROM shop.things WHERE id = $1", "full")]


async def many(connection):
    return [await connection.fetchval("SELECT reading FROM shop.events WHERE device = $1 AND tick = $2", "d1", Decimal(tick)) for tick in (1, 6, 11)]


async def cursor(connection):
    count = 0
    async with connection.transaction(readonly=True):
        async for _ in connection.cursor("SELECT tick FROM shop.events WHERE device = 'd0'", prefetch=100):
            count += 1
    return count


async def failed(connection):
    try:
        async with connection.transaction():
            await connection.fetch("SELECT nothing FROM shop.things")
    except asyncpg.UndefinedColumnError:
        return await connection.fetchval("SELECT count(*) FROM shop.things")


async def settings(connection):
    await connection.execute("SET statement_timeout = '9s'")
    return await connection.fetchval("SHOW statement_timeout")


async def array(connection):
    return await connection.fetchval("SELECT array_agg(id ORDER BY id) FROM shop.things WHERE id = ANY($1)", ["full", "empty"])


async def computed(connection):
    return tuple(await connection.fetchrow("SELECT count(*), sum(tick), max(level), 1, now() > '2020-01-01' FROM shop.events"))


async def types(connection):
    return await connection.fetchval("SELECT 'pg_class'::regclass::oid = oid FROM pg_class WHERE relname = 'pg_class'")


async def statement(connection):
    prepared = await connection.prepare("SELECT id, amount, paid, address FROM shop.things LIMIT 1")
    return [attribute.type.name for attribute in prepared.get_attributes()]


check("rows", rows, [("full", Decimal("7"))])
check("parameters of its cache of statements", many, [Decimal("1.01"), Decimal("6.06"), Decimal("11.11")])
check("a cursor", cursor, 500)
check("an error in a transaction", failed, 12)
check("a setting", settings, "9s")
check("a setting that the pool has reset", lambda connection: connection.fetchval("SHOW statement_timeout"), "0")
check("arrays both ways", array, ["empty", "full"])
check("types of what is computed", computed, (2500, Decimal("3123750"), "low", 1, True))
check("types of the catalogs", types, True)
check("types of attributes", statement, ["text", "numeric", "bool", "jsonb"])
loop.run_until_complete(pool.close())
checks.end()
