"""psycopg 2, which writes parameters into the statement's text."""
import datetime
import io
from decimal import Decimal

import psycopg2
import psycopg2.extras

from checks import Checks

RAW = bytes([0, 1, 127, 128, 255])

checks = Checks()
connection = psycopg2.connect("")
connection.autocommit = True


def rows(sql, values=None, on=connection):
    with on.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()


def same(what, sql, values, expected):
    checks.check(what, lambda: rows(sql, values), expected)


for value in (1, 2**70, Decimal("12345678901234567890.5"), "it's \\ back", True, None, [1, 2], datetime.date(2024, 2, 29)):
    same(f"parameter {value!r}", "SELECT %s AS v", [value], [(value,)])
same("parameter number", "SELECT id FROM shop.things WHERE amount = %s", [Decimal("12345678901234567890123456789012345678")], [("n3",)])
same("parameter tuple", "SELECT id FROM shop.things WHERE id IN %s ORDER BY id", [("n1", "full")], [("full",), ("n1",)])
same("parameter list", "SELECT id FROM shop.things WHERE id = ANY (%s) ORDER BY id", [["n1", "full"]], [("full",), ("n1",)])
same("parameter date", "SELECT id FROM shop.things WHERE CAST(day AS DATE) = %s", [datetime.date(2024, 2, 29)], [("full",)])
same("parameter bytes", "SELECT id FROM shop.things WHERE raw = %s", [RAW], [("full",)])
same("NULLs", "SELECT amount, name, paid, raw FROM shop.things WHERE id = 'nulls'", None, [(None,) * 4])
checks.check("bytes", lambda: bytes(rows("SELECT raw FROM shop.things WHERE id = 'full'")[0][0]), RAW)
same("documents", "SELECT address, tags FROM shop.things WHERE id = 'full'", None, [({"zip": "1000", "floor": 3}, ["a", 1.5, None])])


def server_cursor():
    other = psycopg2.connect("")
    cursor = other.cursor("many")
    cursor.itersize = 100
    cursor.execute("SELECT device, tick FROM shop.events")
    count = sum(1 for _ in cursor)
    cursor.close()
    other.commit()
    other.close()
    return count


checks.check("server-side cursor", server_cursor, 2500)


def failing():
    other = psycopg2.connect("")
    told = []
    for sql in ("SELECT nope FROM shop.things", "SELECT 1"):
        try:
            rows(sql, on=other)
        except psycopg2.Error as error:
            told.append((error.pgcode, error.diag.statement_position))
    other.rollback()
    return told, rows("SELECT 1", on=other)


checks.check("an error, with its place, and going on after ROLLBACK", failing, ([("42703", "8"), ("25P02", None)], [(1,)]))


def read_only():
    other = psycopg2.connect("")
    other.set_session(isolation_level="SERIALIZABLE", readonly=True, deferrable=True)
    return rows("SELECT 1", on=other)


checks.check("read only, isolation, deferrable", read_only, [(1,)])
checks.check("a batch of writes", lambda: psycopg2.extras.execute_values(connection.cursor(), "INSERT INTO shop.things VALUES %s", [(1,), (2,)]), error="25006")


def copied():
    out = io.StringIO()
    connection.cursor().copy_expert("COPY (SELECT id, amount FROM shop.things WHERE id = 'n2') TO STDOUT CSV HEADER", out)
    return out.getvalue()


checks.check("COPY TO", copied, "id,amount\nn2,10.5\n")


def dictionaries():
    cursor = connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor)
    cursor.execute("SELECT id, amount FROM shop.things WHERE id = 'n2'")
    return dict(cursor.fetchone())


checks.check("rows as dictionaries", dictionaries, {"id": "n2", "amount": Decimal("10.5")})
checks.check("encodings other than UTF-8", lambda: (connection.set_client_encoding("LATIN1"), connection.cursor().execute("SELECT id FROM shop.things")), error="0A000")
checks.end()
