"""Django with its defaults: its connection, inspectdb, and queries of a model."""
import datetime
import io
import os
from decimal import Decimal
from zoneinfo import ZoneInfo

import django
from django.conf import settings
from django.core.management import call_command

from checks import Checks

names = {"NAME": "PGDATABASE", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "HOST": "PGHOST", "PORT": "PGPORT"}
database = {name: os.environ[variable] for name, variable in names.items()}
database |= {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {"options": "-c search_path=shop"}}
settings.configure(DATABASES={"default": database}, INSTALLED_APPS=[], USE_TZ=True)
django.setup()

from django.db import DatabaseError, connection, models, transaction
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, ExtractHour, TruncDate

checks = Checks()


class Event(models.Model):
    device = models.TextField(primary_key=True)
    tick = models.DecimalField(max_digits=20, decimal_places=0)
    level = models.TextField()
    reading = models.DecimalField(max_digits=20, decimal_places=2)

    class Meta:
        managed = False
        db_table = "events"
        app_label = "shop"


class Thing(models.Model):
    id = models.TextField(primary_key=True)
    name = models.TextField(null=True)
    at = models.TextField(null=True)
    address = models.JSONField(null=True)
    tags = models.JSONField(null=True)

    class Meta:
        managed = False
        db_table = "things"
        app_label = "shop"


def ids(**conditions):
    return list(Thing.objects.filter(**conditions).order_by("id").values_list("id", flat=True))


def inspected():
    out = io.StringIO()
    call_command("inspectdb", stdout=out)
    return ["class Events(models.Model)" in out.getvalue(), "class Things(models.Model)" in out.getvalue()]


def atomic():
    try:
        with transaction.atomic():
            Event.objects.raw("SELECT nothing FROM events")[0]
    except DatabaseError:
        return Event.objects.filter(device="d0").count()


first = Event.objects.filter(device="d0").order_by("tick")
checks.check("inspectdb", inspected, [True, True])
checks.check("tables", lambda: sorted(connection.introspection.table_names()), ["events", "things"])
checks.check("a filter", lambda: list(first.values_list("tick", "reading")[:2]), [(Decimal(0), Decimal("0.00")), (Decimal(5), Decimal("5.05"))])
checks.check("a range", lambda: Event.objects.filter(device="d1", tick__range=(1, 6)).count(), 2)
checks.check("texts without case", lambda: Event.objects.filter(device="d1", level__icontains="HIG").count(), 250)
checks.check("a list", lambda: Event.objects.filter(device__in=["d1", "d2"]).count(), 1000)
checks.check("groups", lambda: list(Event.objects.values("level").annotate(n=models.Count("tick"), most=models.Max("tick")).order_by("level")), [{"level": "high", "n": 1250, "most": Decimal(2499)}, {"level": "low", "n": 1250, "most": Decimal(2498)}])
checks.check("an iterator", lambda: sum(1 for _ in Event.objects.filter(device="d3").iterator(chunk_size=100)), 500)
checks.check("an error in a transaction", atomic, 500)
checks.check("a document", lambda: Thing.objects.get(id="full").address, {"zip": "1000", "floor": 3})
for name, conditions, expected in (
    ("a text in a document", {"address__zip": "1000"}, ["full"]),
    ("a number in a document", {"address__floor": 3}, ["full"]),
    ("another type in a document", {"address__zip": 1000}, []),
    ("a range in documents", {"address__floor__gt": 2, "address__floor__lte": 3}, ["full"]),
    ("a list of texts in documents", {"address__zip__in": ["1000", "2"]}, ["full"]),
    ("a part of a text in a document", {"address__zip__icontains": "00"}, ["full"]),
    ("the beginning of a text in a document", {"address__zip__startswith": "10"}, ["full"]),
    ("a whole document", {"address": {"floor": 3, "zip": "1000"}}, ["full"]),
    ("a document within", {"address__contains": {"zip": "1000"}}, ["full"]),
    ("a name in a document", {"address__has_key": "zip"}, ["full"]),
    ("one of several names", {"address__has_any_keys": ["zip", "none"]}, ["full"]),
    ("all of several names", {"address__has_keys": ["zip", "none"]}, []),
    ("no such name", {"address__none__isnull": False}, []),
    ("an element of a list", {"tags__0": "a"}, ["full"]),
    ("a list within", {"tags__contains": ["a"]}, ["full"]),
    ("a text by a pattern", {"name__regex": "^Gr.*tab$"}, ["full"]),
    ("a text without case", {"name__istartswith": "GRÜ"}, ["full"]),
    ("no value", {"address__isnull": False}, ["full"]),
):
    checks.check(name, lambda conditions=conditions: ids(**conditions), expected)
checks.check("a document's text, which Django reads as JSON", lambda: list(Thing.objects.filter(id="full").annotate(zip=KeyTextTransform("zip", "address")).values_list("zip", flat=True)), [1000])
checks.check("days of times", lambda: list(Thing.objects.filter(id="full").annotate(day=TruncDate(Cast("at", models.DateTimeField()))).values_list("day", flat=True)), [datetime.date(2024, 2, 29)])
checks.check("hours of times", lambda: list(Thing.objects.filter(id="full").annotate(hour=ExtractHour(Cast("at", models.DateTimeField()), tzinfo=ZoneInfo("Asia/Tokyo"))).values_list("hour", flat=True)), [8])
checks.check("exists", lambda: Event.objects.filter(device="nobody").exists(), False)
checks.end()
