"""psycopg 3: text and binary rows and parameters, server-side cursors, pipelines, errors, cancel."""
import datetime
import threading
from decimal import Decimal

import psycopg
from psycopg import sql as parts
from psycopg.types import TypeInfo
from psycopg.types.json import Jsonb

from checks import Checks

NUMBERS = [
    ("n0", Decimal("0")),
    ("n1", Decimal("-1")),
    ("n2", Decimal("10.5")),
    ("n3", Decimal("12345678901234567890123456789012345678")),
    ("n4", Decimal("0.00000000000000000000000000000000000001")),
    ("n5", Decimal("-99999999999999999999.999999999999999999")),
    ("n6", Decimal("1E+30")),
    ("n7", Decimal("1.5E-20")),
    ("n8", Decimal("9007199254740993")),
]
RAW = bytes([0, 1, 127, 128, 255])
NAME = 'Grüße, 世界 😀 "quoted" \\back\\ \t tab'
UTC = datetime.timezone.utc

checks = Checks()
connection = psycopg.connect(autocommit=True)


def rows(sql, values=None, binary=False, on=connection, **more):
    with on.cursor(binary=binary) as cursor:
        cursor.execute(sql, values, **more)
        return cursor.fetchall()


for binary in (False, True):
    how = "binary" if binary else "text"

    def same(what, sql, values, expected, binary=binary, how=how):
        checks.check(f"{how} {what}", lambda: rows(sql, values, binary), expected)

    same(
        "row of every type",
        "SELECT id, amount, name, paid, raw, address, tags, mixed FROM shop.things WHERE id = %s",
        ["full"],
        [("full", Decimal(7), NAME, True, RAW, {"zip": "1000", "floor": 3}, ["a", 1.5, None], "text")],
    )
    same("NULLs", "SELECT amount, name, paid, raw FROM shop.things WHERE id = 'nulls'", None, [(None,) * 4])
    same("empty values", "SELECT name, paid, raw FROM shop.things WHERE id = 'empty'", None, [("", False, b"")])
    same("numbers", "SELECT id, amount FROM shop.things WHERE id LIKE 'n_' ORDER BY id", None, NUMBERS)
    for id, number in NUMBERS:
        same(f"number back {id}", "SELECT id FROM shop.things WHERE amount = %s", [number], [(id,)])
    for value in (1, 2**40, 2**70, Decimal("12345678901234567890.5"), "x", True, None):
        same(f"parameter {value!r}", "SELECT %s AS v", [value], [(value,)])
    same("parameter list", "SELECT id FROM shop.things WHERE id = ANY (%s) ORDER BY id", [["n1", "full"]], [("full",), ("n1",)])
    same("parameter numbers", "SELECT tick FROM shop.events WHERE tick = ANY (%s) ORDER BY tick", [[1, 2]], [(1,), (2,)])
    same("parameter bool", "SELECT id FROM shop.things WHERE paid = %s", [True], [("full",)])
    same("parameter bytes", "SELECT raw FROM shop.things WHERE raw = %s", [RAW], [(RAW,)])
    same("parameter bytes in binary", "SELECT raw FROM shop.things WHERE raw = %b", [RAW], [(RAW,)])
    day = datetime.date(2024, 2, 29)
    at = datetime.datetime(2024, 2, 29, 23, 59, 59, 123456)
    same("date", "SELECT CAST(day AS DATE) FROM shop.things WHERE CAST(day AS DATE) = %s", [day], [(day,)])
    same("timestamp", "SELECT CAST(at AS TIMESTAMP) FROM shop.things WHERE CAST(at AS TIMESTAMP) = %s", [at], [(at,)])
    same("timestamptz", "SELECT CAST(at AS TIMESTAMPTZ) FROM shop.things WHERE CAST(at AS TIMESTAMPTZ) = %s",
         [at.replace(tzinfo=UTC)], [(at.replace(tzinfo=UTC),)])
    same("time", "SELECT CAST(%s AS TIME)", [datetime.time(1, 2, 3, 4)], [(datetime.time(1, 2, 3, 4),)])
    same("integers and floats", "SELECT CAST(%s AS INTEGER), CAST(%s AS BIGINT), CAST(%s AS DOUBLE PRECISION), CAST(%s AS DECIMAL(10,2))",
         [7, 2**40, 0.1, Decimal("1.25")], [(7, 2**40, 0.1, Decimal("1.25"))])
    checks.check(f"{how} prepared seven times", lambda binary=binary: [
        rows("SELECT amount FROM shop.things WHERE id = %s", ["n3"], binary, prepare=True) for _ in range(7)][-1], [(NUMBERS[3][1],)])
    same("catalog arrays", "SELECT conkey FROM pg_catalog.pg_constraint WHERE conname = 'events_pkey'", None, [([1, 2],)])
    same("an array given back", "SELECT %b AS v", [["a", None]], [(["a", None],)])

checks.check("parameter json", lambda: rows("SELECT %s AS v", [Jsonb({"a": 1})]))
checks.check("parameter interval", lambda: rows("SELECT CAST(%s AS INTERVAL) = INTERVAL '1 day'", [datetime.timedelta(days=1)]), [(True,)])
checks.check("parameter NaN", lambda: rows("SELECT id FROM shop.things WHERE amount = %s", [Decimal("NaN")]), error="22P02")
checks.check("parameter NaN in binary", lambda: rows("SELECT id FROM shop.things WHERE amount = %b", [Decimal("NaN")]), error="22P02")


def server_cursor(hold):
    other = psycopg.connect(autocommit=hold)
    with other.cursor(name="many", withhold=hold) as cursor:
        cursor.itersize = 100
        cursor.execute("SELECT device, tick FROM shop.events")
        count = sum(1 for _ in cursor)
    other.close()
    return count


checks.check("server-side cursor", lambda: server_cursor(False), 2500)
checks.check("server-side cursor with hold", lambda: server_cursor(True), 2500)
checks.check("stream", lambda: sum(1 for _ in connection.cursor().stream("SELECT * FROM shop.events")), 2500)


def failing():
    other = psycopg.connect()
    told = []
    for sql in ("SELECT 'é', nope FROM shop.things", "SELECT 1"):
        try:
            other.execute(sql)
        except psycopg.Error as error:
            told.append((error.sqlstate, error.diag.statement_position))
    other.rollback()
    told.append(other.execute("SELECT 1").fetchone())
    other.close()
    return told


checks.check("an error, with its place, and going on after ROLLBACK", failing, [("42703", "13"), ("25P02", None), (1,)])


def savepoints():
    other = psycopg.connect()
    with other.transaction():
        try:
            with other.transaction():
                other.execute("SELECT nope FROM shop.things")
        except psycopg.Error as error:
            state = error.sqlstate
        found = other.execute("SELECT 1").fetchone()
    other.close()
    return state, found


checks.check("savepoints", savepoints, ("42703", (1,)))


def read_only():
    other = psycopg.connect()
    other.read_only = True
    other.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    other.deferrable = True
    found = other.execute("SELECT 1").fetchone()
    other.rollback()
    other.close()
    return found


checks.check("read only, isolation, deferrable", read_only, (1,))
checks.check("writes", lambda: connection.execute("DELETE FROM shop.things"), error="25006")
checks.check("a batch of writes", lambda: connection.cursor().executemany("INSERT INTO shop.things VALUES (%s)", [("a",), ("b",)]), error="25006")
checks.check("COPY FROM", lambda: connection.cursor().copy("COPY shop.things FROM STDIN").__enter__(), error="25006")


def many():
    cursor = connection.cursor()
    cursor.executemany("SELECT name FROM shop.things WHERE id = %s", [("full",), ("empty",)], returning=True)
    first = cursor.fetchone()
    cursor.nextset()
    return first, cursor.fetchone()


checks.check("a batch of reads", many, ((NAME,), ("",)))


def pipelined():
    other = psycopg.connect(autocommit=True)
    with other.pipeline():
        cursors = [other.execute("SELECT %s::int", [i]) for i in range(5)]
        found = [cursor.fetchone()[0] for cursor in cursors]
    other.close()
    return found


checks.check("a pipeline", pipelined, [0, 1, 2, 3, 4])


def copied():
    with connection.cursor().copy("COPY (SELECT id, amount FROM shop.things WHERE id = 'n2') TO STDOUT") as copy:
        return b"".join(bytes(part) for part in copy)


checks.check("COPY TO", copied, b"n2\t10.5\n")


def cancelled():
    other = psycopg.connect(autocommit=True)
    timer = threading.Timer(0.5, other.cancel)
    timer.start()
    try:
        other.execute("SELECT COUNT(*) FROM shop.events a, shop.events b, shop.events c WHERE a.reading < b.reading AND b.reading < c.reading")
    except psycopg.Error as error:
        found = error.sqlstate, other.execute("SELECT 1").fetchone()
    other.close()
    return found


checks.check("cancel", cancelled, ("57014", (1,)))


def time_zone():
    other = psycopg.connect(autocommit=True)
    other.execute("SET TIME ZONE 'Europe/Berlin'")
    (at,) = other.execute("SELECT CAST(at AS TIMESTAMPTZ) FROM shop.things WHERE id = 'full'").fetchone()
    zone = other.info.timezone.key
    other.close()
    return zone, at.astimezone(UTC)


checks.check("time zone", time_zone, ("Europe/Berlin", datetime.datetime(2024, 2, 29, 23, 59, 59, 123456, tzinfo=UTC)))
checks.check("types looked up by name", lambda: (TypeInfo.fetch(connection, "numeric").oid, TypeInfo.fetch(connection, "nope")), (1700, None))
checks.check("two statements in one", lambda: connection.execute("SELECT 1; SELECT 2").fetchall(), [(1,)])
checks.check("quoted names", lambda: connection.execute(parts.SQL("SELECT COUNT(*) FROM {}").format(parts.Identifier("shop", "events"))).fetchone(), (2500,))
connection.close()
checks.end()
