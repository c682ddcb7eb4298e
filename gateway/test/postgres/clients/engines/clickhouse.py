"""ClickHouse's postgresql(), by the engine that chdb carries."""
import chdb
from place import DATABASE, EVENTS, HOST, LOW, OF_A_DEVICE, PASSWORD, PORT, THINGS, USER

from checks import Checks

checks = Checks()
PLACE = f"'{HOST}:{PORT}', '{DATABASE}'"


def source(table):
    return f"postgresql({PLACE}, '{table}', '{USER}', '{PASSWORD}', 'shop')"


def rows(sql):
    lines = str(chdb.query(sql, "TSV")).strip("\n")
    return [tuple(line.split("\t")) for line in lines.split("\n")] if lines else []


events, things = source("events"), source("things")
checks.check("a count", lambda: rows(f"SELECT count() FROM {events}"), [(str(EVENTS),)])
checks.check("a filter", lambda: rows(f"SELECT count() FROM {events} WHERE device = 'd1'"), [(str(OF_A_DEVICE),)])
checks.check("groups", lambda: rows(f"SELECT level, count() FROM {events} GROUP BY level ORDER BY level"), [("high", str(LOW)), ("low", str(LOW))])
checks.check("a range of numbers", lambda: rows(f"SELECT tick FROM {events} WHERE device = 'd0' AND tick < 11 ORDER BY tick"), [("0",), ("5",), ("10",)])
checks.check("columns", lambda: sorted(name for name, *_ in rows(f"DESCRIBE TABLE {events}")), ["device", "level", "reading", "tick"])
checks.check("texts", lambda: rows(f"SELECT id FROM {things} WHERE name = '' AND id = 'empty'"), [("empty",)])
checks.check("rows without a value", lambda: rows(f"SELECT count() FROM {things} WHERE paid IS NULL"), [(str(THINGS - 2),)])
checks.check("a join of two tables", lambda: rows(f"SELECT count() FROM {events} e JOIN (SELECT DISTINCT level FROM {events}) l ON e.level = l.level"), [(str(EVENTS),)])
checks.end()
