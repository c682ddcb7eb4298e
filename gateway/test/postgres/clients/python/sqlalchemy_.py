"""SQLAlchemy, what it reflects and what it asks; pandas on top of it."""
import os
import warnings
from decimal import Decimal

import pandas
import psycopg2
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session, declarative_base

from checks import Checks

warnings.simplefilter("ignore")
checks = Checks()
url = sa.engine.URL.create(
    "postgresql+psycopg2",
    *(os.environ[name] for name in ("PGUSER", "PGPASSWORD", "PGHOST")),
    int(os.environ["PGPORT"]),
    "penstock",
)
engine = sa.create_engine(url)
inspector = sa.inspect(engine)
check = checks.check

check("schemas", inspector.get_schema_names, ["information_schema", "public", "shop"])
check("default schema", lambda: inspector.default_schema_name, "public")
check("tables", lambda: inspector.get_table_names("shop"), ["events", "things"])
check("views", lambda: inspector.get_view_names("shop"), [])
check("columns", lambda: [(c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns("events", "shop")],
      [("device", "TEXT", False), ("tick", "NUMERIC", False), ("level", "TEXT", True), ("reading", "NUMERIC", True)])
check("column types", lambda: {c["name"]: str(c["type"]) for c in inspector.get_columns("things", "shop")},
      {"id": "TEXT", "address": "JSONB", "amount": "NUMERIC", "at": "TEXT", "day": "TEXT", "labels": "JSONB",
       "mixed": "TEXT", "name": "TEXT", "paid": "BOOLEAN", "raw": "BYTEA", "tags": "JSONB"})
check("primary key", lambda: inspector.get_pk_constraint("events", "shop"), {"constrained_columns": ["device", "tick"], "name": "events_pkey"})
check("foreign keys", lambda: inspector.get_foreign_keys("events", "shop"), [])
check("indexes", lambda: [(i["name"], i["unique"], i["column_names"]) for i in inspector.get_indexes("events", "shop")], [("by-level", False, ["level", "tick"])])
check("unique constraints", lambda: inspector.get_unique_constraints("events", "shop"), [])
check("check constraints", lambda: inspector.get_check_constraints("events", "shop"), [])
check("comment", lambda: inspector.get_table_comment("events", "shop")["text"].startswith("DynamoDB table"), True)
check("enums", inspector.get_enums, [])
check("has table", lambda: (inspector.has_table("things", "shop"), inspector.has_table("nope", "shop")), (True, False))
metadata = sa.MetaData()
check("reflect", lambda: (metadata.reflect(engine, schema="shop"), sorted(metadata.tables))[1], ["shop.events", "shop.things"])
things, events = metadata.tables["shop.things"], metadata.tables["shop.events"]


def asked(statement):
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(statement)]


check("by key", lambda: asked(sa.select(things.c.amount, things.c.paid, things.c.raw).where(things.c.id == "full")), [(Decimal(7), True, bytes([0, 1, 127, 128, 255]))])
check("in list", lambda: asked(sa.select(things.c.id).where(things.c.id.in_(["n1", "full"])).order_by(things.c.id)), [("full",), ("n1",)])
check("by number", lambda: asked(sa.select(things.c.id).where(things.c.amount == Decimal("10.5"))), [("n2",)])
check("groups", lambda: asked(sa.select(events.c.device, sa.func.count(), sa.func.sum(events.c.reading)).group_by(events.c.device).order_by(events.c.device).limit(2)),
      [("d0", 500, Decimal("623987.5")), ("d1", 500, Decimal("624492.5"))])
check("join", lambda: asked(sa.select(sa.func.count()).select_from(events.join(things, things.c.id == events.c.device, isouter=True))), [(2500,)])
check("like", lambda: asked(sa.select(things.c.id).where(things.c.id.ilike("N_")).order_by(things.c.id).limit(2)), [("n0",), ("n1",)])
check("contains", lambda: asked(sa.select(things.c.id).where(things.c.id.contains("ul", autoescape=True)).order_by(things.c.id)), [("full",), ("nulls",)])
address, tags = things.c.address, things.c.tags
for name, condition, expected in (
    ("text in a document", address["zip"].astext == "1000", [("full",)]),
    ("document in a document", address["zip"] == sa.cast("1000", JSONB), [("full",)]),
    ("number in a document", address["floor"].astext.cast(sa.Integer) > 2, [("full",)]),
    ("as integer", address["floor"].as_integer() == 3, [("full",)]),
    ("as string", address["zip"].as_string() == "1000", [("full",)]),
    ("path in a document", address[("zip",)].astext == "1000", [("full",)]),
    ("contains a document", address.contains({"zip": "1000"}), [("full",)]),
    ("has a name", address.has_key("zip"), [("full",)]),
    ("has one of names", address.has_any(sa.dialects.postgresql.array(["zip", "none"])), [("full",)]),
    ("has all names", address.has_all(sa.dialects.postgresql.array(["zip", "none"])), []),
    ("element of a list", tags[0].astext == "a", [("full",)]),
    ("contains a list", tags.contains(["a"]), [("full",)]),
    ("type of a document", sa.func.jsonb_typeof(address) == "object", [("full",)]),
):
    check(name, lambda condition=condition: asked(sa.select(things.c.id).where(condition).order_by(things.c.id)), expected)
check("rows of a list", lambda: asked(sa.select(sa.func.jsonb_array_elements_text(tags).label("tag")).where(things.c.id == "full").order_by(sa.text("1"))), [("1.5",), ("a",), (None,)])
check("case and extract", lambda: asked(sa.select(sa.case((things.c.paid.is_(True), "y"), else_="n"), sa.extract("year", sa.cast(things.c.day, sa.Date))).where(things.c.id == "full")), [("y", 2024)])
check("->>", lambda: asked(sa.select(things.c.address["zip"].astext).where(things.c.id == "full")), [("1000",)])


def streamed():
    with engine.connect().execution_options(stream_results=True, max_row_buffer=100) as connection:
        return sum(1 for _ in connection.execute(sa.select(events)))


check("stream", streamed, 2500)
for options in ({"isolation_level": "AUTOCOMMIT"}, {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}):
    check(f"options {sorted(options)}", lambda options=options: engine.connect().execution_options(**options).execute(sa.text("SELECT 1")).scalar(), 1)
check("insert", lambda: engine.execute(things.insert(), [{"id": "a"}, {"id": "b"}]), error="25006")
check("create table", lambda: sa.Table("x", sa.MetaData(), sa.Column("a", sa.Integer), schema="shop").create(engine), error="42501")


class Event(declarative_base()):
    __table__ = events


def mapped():
    with Session(engine) as session:
        found = session.query(Event).filter(Event.device == "d1", Event.tick < 12).order_by(Event.tick)
        return [(event.device, event.reading) for event in found]


check("mapped objects", mapped, [("d1", Decimal("1.01")), ("d1", Decimal("6.06")), ("d1", Decimal("11.11"))])

read = pandas.read_sql
check("pandas rows", lambda: read("SELECT device, tick, reading FROM shop.events ORDER BY tick LIMIT 3", engine).to_dict("list"),
      {"device": ["d0", "d1", "d2"], "tick": [0.0, 1.0, 2.0], "reading": [0.0, 1.01, 2.02]})
check("pandas parameters", lambda: read("SELECT COUNT(*) AS n FROM shop.events WHERE device = %(d)s", engine, params={"d": "d1"}).to_dict("list"), {"n": [500]})
check("pandas exact numbers", lambda: read("SELECT amount FROM shop.things WHERE id = 'n3'", engine, coerce_float=False)["amount"][0], Decimal("12345678901234567890123456789012345678"))
check("pandas table", lambda: pandas.read_sql_table("things", engine, schema="shop").shape, (12, 11))
check("pandas chunks", lambda: [len(part) for part in read("SELECT * FROM shop.events", engine.connect().execution_options(stream_results=True), chunksize=1000)], [1000, 1000, 500])
check("pandas dates", lambda: str(read("SELECT day FROM shop.things WHERE id = 'full'", engine, parse_dates=["day"])["day"][0]), "2024-02-29 00:00:00")
check("pandas without SQLAlchemy", lambda: read("SELECT COUNT(*) AS n FROM shop.events", psycopg2.connect("")).to_dict("list"), {"n": [2500]})
check("pandas to_sql", lambda: pandas.DataFrame({"a": [1]}).to_sql("x", engine, schema="shop"), error="42501")
engine.dispose()
checks.end()
