"""DuckDB's postgres extension with its defaults: it splits tables by ctid and reads them by binary COPY."""
from decimal import Decimal

import duckdb
from duckdb_extensions import import_extension
from place import DATABASE, EVENTS, HOST, LOW, OF_A_DEVICE, PASSWORD, PORT, THINGS, USER

from checks import Checks

checks = Checks()
import_extension("postgres_scanner")
duck = duckdb.connect()
duck.execute("LOAD postgres_scanner")
duck.execute(f"ATTACH 'host={HOST} port={PORT} user={USER} password={PASSWORD} dbname={DATABASE}' AS p (TYPE postgres, READ_ONLY)")
rows = lambda sql: duck.execute(sql).fetchall()

checks.check("its catalog", lambda: [name for (name,) in rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'shop' ORDER BY 1") if name in ("events", "things")], ["events", "things"])
checks.check("a count", lambda: rows("SELECT count(*) FROM p.shop.events"), [(EVENTS,)])
checks.check("each row once", lambda: rows("SELECT count(*), count(DISTINCT tick) FROM (SELECT * FROM p.shop.events)"), [(EVENTS, EVENTS)])
checks.check("a filter", lambda: rows("SELECT count(*) FROM p.shop.events WHERE device = 'd1'"), [(OF_A_DEVICE,)])
checks.check("filters by groups", lambda: rows("SELECT level, count(*) FROM p.shop.events WHERE tick >= 0 GROUP BY 1 ORDER BY 1"), [("high", LOW), ("low", LOW)])
checks.check("a table of it", lambda: (duck.execute("CREATE TABLE things AS SELECT * FROM p.shop.things"), rows("SELECT count(*) FROM things"))[1], [(THINGS,)])
checks.check("bytes and documents", lambda: rows("SELECT raw, address FROM things WHERE id = 'full'"), [(b"\x00\x01\x7f\x80\xff", '{"floor":3,"zip":"1000"}')])
checks.check("a query of its own", lambda: rows("SELECT * FROM postgres_query('p', 'SELECT amount::numeric(12, 2) FROM shop.things WHERE id = ''full''')"), [(Decimal("7.00"),)])
duck.execute("SET pg_pages_per_task = 1024")
checks.check("by one scan", lambda: rows("SELECT count(*), sum(tick)::BIGINT FROM p.shop.events"), [(EVENTS, EVENTS * (EVENTS - 1) // 2)])
checks.check("in eight tasks", lambda: (duck.execute("SET pg_pages_per_task = 128"), rows("SELECT count(*) FROM (SELECT DISTINCT tick FROM p.shop.events)"))[1], [(EVENTS,)])
checks.end()
