"""Where the endpoint is, as each library wants it, and what is in the tables."""
import os
import sys
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))

HOST, PORT = os.environ["PGHOST"], os.environ["PGPORT"]
USER, PASSWORD, DATABASE = os.environ["PGUSER"], os.environ["PGPASSWORD"], os.environ["PGDATABASE"]
URI = f"postgresql://{quote(USER)}:{quote(PASSWORD)}@{HOST}:{PORT}/{DATABASE}"

EVENTS = 2500
"""Events of one device, of those at one level, and the sum of all ticks."""
OF_A_DEVICE, LOW, TICKS = EVENTS // 5, EVENTS // 2, EVENTS * (EVENTS - 1) // 2
THINGS = 12
