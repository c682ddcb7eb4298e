"""Spark's JDBC source and catalog by pgjdbc: partitions over segments, filters and aggregates that it pushes down."""
import os

from place import DATABASE, EVENTS, HOST, LOW, OF_A_DEVICE, PASSWORD, PORT, THINGS, TICKS, USER
from pyspark.sql import SparkSession

from checks import Checks

checks = Checks()
URL = f"jdbc:postgresql://{HOST}:{PORT}/{DATABASE}"
ACCOUNT = {"user": USER, "password": PASSWORD, "driver": "org.postgresql.Driver"}
catalog = "spark.sql.catalog.shop"
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.jars", os.environ["PGJDBC"])
for name, value in {"": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog", ".url": URL, ".user": USER, ".password": PASSWORD, ".driver": "org.postgresql.Driver", ".pushDownAggregate": "true", ".pushDownLimit": "true"}.items():
    builder = builder.config(catalog + name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")


def read(table, **options):
    return spark.read.format("jdbc").options(url=options.pop("url", URL), dbtable=table, **ACCOUNT, **options).load()


def values(frame):
    return [tuple(row) for row in frame.collect()]


checks.check("types", lambda: [(f.name, f.dataType.simpleString()) for f in read("shop.events").schema.fields], [("device", "string"), ("tick", "decimal(38,18)"), ("level", "string"), ("reading", "decimal(38,18)")])
checks.check("rows", lambda: read("shop.events").count(), EVENTS)
checks.check("a filter", lambda: read("shop.events").filter("device = 'd1' AND tick >= 0").count(), OF_A_DEVICE)
checks.check("groups", lambda: values(read("shop.events").groupBy("level").count().orderBy("level")), [("high", LOW), ("low", LOW)])
checks.check("partitions over segments", lambda: read('shop.events."$segments"', partitionColumn="segment", lowerBound="0", upperBound="1024", numPartitions="4").selectExpr("count(*)", "count(DISTINCT tick)").first()[:], (EVENTS, EVENTS))
checks.check("a query", lambda: values(spark.read.format("jdbc").options(url=URL, query="SELECT count(*) AS n, sum(tick)::int8 AS s FROM shop.events", **ACCOUNT).load()), [(EVENTS, TICKS)])
checks.check("digits that are said", lambda: read("shop.events", url=URL + "?options=-c%20penstock.numeric=20,2").schema["reading"].dataType.simpleString(), "decimal(20,2)")
checks.check("its catalog", lambda: sorted(row.tableName for row in spark.sql("SHOW TABLES IN shop.shop").collect() if row.tableName in ("events", "things")), ["events", "things"])
checks.check("a pushed aggregate", lambda: values(spark.sql("SELECT level, count(*) FROM shop.shop.events GROUP BY level ORDER BY level")), [("high", LOW), ("low", LOW)])
checks.check("a whole table", lambda: read("shop.things").count(), THINGS)
spark.stop()
checks.end()
