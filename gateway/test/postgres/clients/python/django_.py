"""Django with its defaults: its connection, inspectdb, and queries of a model."""
import io
import os
from decimal import Decimal

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
checks.check("exists", lambda: Event.objects.filter(device="nobody").exists(), False)
checks.end()
