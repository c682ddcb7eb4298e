"""dbt on its first day: debug, show, a source's tests and freshness, docs."""
import json
import os
import subprocess
import sys
import tempfile

from place import DATABASE, HOST, PASSWORD, PORT, USER

from checks import Checks

checks = Checks()
folder = tempfile.mkdtemp()
PROJECT = {"name": "penstock", "version": "1.0.0", "profile": "penstock", "model-paths": ["models"]}
OUTPUT = {"type": "postgres", "host": HOST, "port": int(PORT), "user": USER, "password": PASSWORD, "dbname": DATABASE, "schema": "shop", "threads": 2}
SOURCE = {"name": "events", "columns": [{"name": "level", "tests": ["not_null", {"accepted_values": {"values": ["low", "high"]}}]}, {"name": "tick", "tests": ["not_null"]}]}
FRESH = {"loaded_at_field": '"at"::timestamptz', "freshness": {"warn_after": {"count": 1, "period": "day"}, "error_after": {"count": 100000, "period": "day"}}}
THINGS = {"name": "things", "config": FRESH}
os.mkdir(f"{folder}/models")
for path, what in {
    "dbt_project.yml": PROJECT,
    "profiles.yml": {"penstock": {"target": "dev", "outputs": {"dev": OUTPUT}}},
    # JSON is YAML, too.
    "models/sources.yml": {"version": 2, "sources": [{"name": "shop", "tables": [SOURCE, THINGS]}]},
}.items():
    with open(f"{folder}/{path}", "w") as file:
        json.dump(what, file)


def dbt(*args):
    program = os.path.join(os.path.dirname(sys.executable), "dbt")
    env = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": folder, "NO_COLOR": "1"}
    done = subprocess.run([program, "--no-use-colors", *args, "--project-dir", folder], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        raise RuntimeError(done.stdout[-600:] + done.stderr[-200:])
    return done.stdout


checks.check("debug", lambda: "All checks passed!" in dbt("debug"), True)
checks.check("show", lambda: "2500" in dbt("show", "--inline", "SELECT count(*) AS n FROM {{ source('shop', 'events') }}"), True)
checks.check("tests of a source", lambda: "PASS=3" in dbt("test"), True)
checks.check("freshness", lambda: "WARN freshness of shop.things" in dbt("source", "freshness"), True)
checks.check("docs", lambda: "Catalog written" in dbt("docs", "generate"), True)
checks.end()
