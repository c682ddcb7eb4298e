"""A Trino with its PostgreSQL connector: catalogs, types, what it pushes down; numbers by the digits that its connection says."""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from urllib.error import URLError
from urllib.request import Request, urlopen

from place import DATABASE, EVENTS, HOST, LOW, OF_A_DEVICE, PASSWORD, PORT, THINGS, TICKS, USER

from checks import Checks

checks = Checks()
URL = f"jdbc:postgresql://{HOST}:{PORT}/{DATABASE}"
START_S, POLL_S = 300, 0.5
folder = tempfile.mkdtemp()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]


def write(path, lines):
    os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
    with open(f"{folder}/{path}", "w") as file:
        file.write("\n".join(lines) + "\n")


write("etc/node.properties", ["node.environment=test", "node.id=one", f"node.data-dir={folder}/data"])
write("etc/jvm.config", ["-Xmx1G", "-XX:+UseSerialGC", "-Djdk.attach.allowAttachSelf=true", "--enable-native-access=ALL-UNNAMED"])
write("etc/log.properties", ["io.trino=ERROR"])
write(
    "etc/config.properties",
    ["coordinator=true", "node-scheduler.include-coordinator=true", f"http-server.http.port={port}", f"discovery.uri=http://127.0.0.1:{port}", "catalog.management=static"],
)
for name, url in (("plain", URL), ("digits", f"{URL}?options=-c%20penstock.numeric=38,9")):
    write(f"etc/catalog/{name}.properties", ["connector.name=postgresql", f"connection-url={url}", f"connection-user={USER}", f"connection-password={PASSWORD}"])


def asked(request):
    with urlopen(request) as answer:
        return json.load(answer)


def rows(sql):
    found = asked(Request(f"http://127.0.0.1:{port}/v1/statement", sql.encode(), {"X-Trino-User": "check"}))
    data = list(found.get("data", []))
    while "nextUri" in found:
        found = asked(found["nextUri"])
        data += found.get("data", [])
    if "error" in found:
        raise RuntimeError(found["error"]["message"])
    return data


def wait():
    end = time.monotonic() + START_S
    while True:
        try:
            return rows("SELECT 1")
        except (URLError, ConnectionError, RuntimeError):
            if time.monotonic() > end or server.poll() is not None:
                raise
            time.sleep(POLL_S)


with open(f"{folder}/log", "w") as log:
    launcher = [os.path.join(os.environ["TRINO_HOME"], "bin", "launcher"), "run", "--etc-dir", f"{folder}/etc"]
    server = subprocess.Popen(launcher, stdout=log, stderr=log)
try:
    wait()
    columns = lambda catalog, table: [row[:2] for row in rows(f"DESCRIBE {catalog}.shop.{table}")]
    checks.check("schemas", lambda: ["shop"] in rows("SHOW SCHEMAS FROM plain"), True)
    checks.check("tables", lambda: rows("SHOW TABLES FROM plain.shop"), [["events"], ["things"]])
    checks.check("columns", lambda: columns("digits", "events"), [["device", "varchar"], ["tick", "decimal(38,9)"], ["level", "varchar"], ["reading", "decimal(38,9)"]])
    checks.check("columns without digits", lambda: columns("plain", "events"), [["device", "varchar"], ["level", "varchar"]])
    checks.check("other types", lambda: {name: kind for name, kind in columns("plain", "things") if name in ("paid", "raw", "address")}, {"paid": "boolean", "raw": "varbinary", "address": "json"})
    checks.check("a count", lambda: rows("SELECT count(*) FROM plain.shop.events"), [[EVENTS]])
    checks.check("a filter", lambda: rows("SELECT count(*) FROM plain.shop.events WHERE device = 'd1'"), [[OF_A_DEVICE]])
    checks.check("a range of numbers", lambda: rows("SELECT device, tick FROM digits.shop.events WHERE device = 'd0' AND tick BETWEEN 5 AND 10 ORDER BY tick"), [["d0", "5.000000000"], ["d0", "10.000000000"]])
    checks.check("groups", lambda: rows("SELECT level, count(*) FROM plain.shop.events GROUP BY level ORDER BY level"), [["high", LOW], ["low", LOW]])
    checks.check("a sum", lambda: rows("SELECT CAST(sum(tick) AS bigint), CAST(max(tick) AS bigint) FROM digits.shop.events"), [[TICKS, EVENTS - 1]])
    checks.check("a list and no value", lambda: rows("SELECT id FROM plain.shop.things WHERE id IN ('full', 'empty') AND address IS NULL"), [["empty"]])
    checks.check("LIKE", lambda: rows("SELECT id FROM plain.shop.things WHERE name LIKE 'Grü%'"), [["full"]])
    checks.check("the first by an order", lambda: rows("SELECT CAST(tick AS bigint) FROM digits.shop.events WHERE device = 'd0' ORDER BY tick DESC LIMIT 2"), [[2495], [2490]])
    checks.check("a join", lambda: rows("SELECT count(*) FROM plain.shop.events e JOIN plain.shop.things t ON e.level = 'low' AND t.id = 'full'"), [[LOW]])
    checks.check("bytes and documents", lambda: rows("SELECT to_hex(raw), json_extract_scalar(address, '$.zip'), paid FROM plain.shop.things WHERE id = 'full'"), [["00017F80FF", "1000", True]])
    checks.check("each row once", lambda: rows("SELECT count(DISTINCT tick), count(*) FROM digits.shop.events"), [[EVENTS, EVENTS]])
    checks.check("a query of its own", lambda: rows("SELECT * FROM TABLE(plain.system.query(query => 'SELECT count(*) AS n FROM shop.things'))"), [[THINGS]])
finally:
    server.terminate()
    server.wait()
checks.end()
