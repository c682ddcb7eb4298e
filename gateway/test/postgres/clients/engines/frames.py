"""polars by both of its engines, connectorx in parts, ADBC: what people load into frames."""
from decimal import Decimal

import adbc_driver_postgresql.dbapi as adbc
import connectorx
import polars
from place import EVENTS, LOW, OF_A_DEVICE, THINGS, TICKS, URI

from checks import Checks

checks = Checks()
DEVICE = "SELECT device, tick::int8 AS tick, level FROM shop.events WHERE device = 'd1' ORDER BY tick"


def shape(frame):
    return frame.shape, frame["tick"].to_list()[:3], frame["level"].to_list()[:2]


for engine in ("connectorx", "adbc"):
    read = lambda sql, engine=engine: polars.read_database_uri(sql, URI, engine=engine)
    checks.check(f"polars by {engine}, rows", lambda: shape(read(DEVICE)), ((OF_A_DEVICE, 3), [1, 6, 11], ["high", "low"]))
    checks.check(f"polars by {engine}, an aggregate", lambda: read("SELECT count(*) AS n FROM shop.events").item(), EVENTS)
    checks.check(f"polars by {engine}, no rows", lambda: read("SELECT id, name FROM shop.things WHERE id = 'none'").shape, (0, 2))
    checks.check(
        f"polars by {engine}, texts and truth values",
        lambda: read("SELECT name, paid FROM shop.things WHERE id IN ('full', 'empty') ORDER BY id").rows(),
        [("", False), ('Grüße, 世界 😀 "quoted" \\back\\ \t tab', True)],
    )

for protocol in ("binary", "cursor", "csv"):
    frame = lambda sql, protocol=protocol, **how: connectorx.read_sql(URI, sql, return_type="arrow", protocol=protocol, **how)
    checks.check(f"connectorx, {protocol}", lambda: frame(DEVICE).num_rows, OF_A_DEVICE)
in_parts = 'SELECT segment::int8 AS segment, tick::int8 AS tick FROM shop.events."$segments"'
checks.check(
    "connectorx in four parts by segment",
    lambda: sorted(connectorx.read_sql(URI, in_parts, return_type="arrow", partition_on="segment", partition_num=4)["tick"].to_pylist()),
    list(range(EVENTS)),
)

with adbc.connect(URI) as connection, connection.cursor() as cursor:

    def table(sql, parameters=None):
        cursor.execute(sql, parameters)
        return cursor.fetch_arrow_table()

    def catalog():
        found = connection.adbc_get_objects(depth="tables", db_schema_filter="shop").read_all().to_pylist()
        schemas = [schema for one in found for schema in one["catalog_db_schemas"] or []]
        return sorted(one["table_name"] for schema in schemas for one in schema["db_schema_tables"] or [])

    checks.check("ADBC, types", lambda: [str(field.type) for field in table(DEVICE).schema], ["string", "int64", "string"])
    checks.check("ADBC, a parameter", lambda: table("SELECT count(*) AS n FROM shop.events WHERE level = $1", ("low",)).to_pylist(), [{"n": LOW}])
    checks.check("ADBC, numbers", lambda: str(table("SELECT sum(tick) AS n FROM shop.events").to_pylist()[0]["n"]), str(Decimal(TICKS)))
    checks.check("ADBC, its catalog", lambda: [name for name in catalog() if name in ("things", "events")], ["events", "things"])
    checks.check("ADBC, a table's schema", lambda: str(connection.adbc_get_table_schema("things", db_schema_filter="shop").field("paid").type), "bool")
    checks.check("ADBC, whole", lambda: table("SELECT * FROM shop.things").num_rows, THINGS)
checks.end()
