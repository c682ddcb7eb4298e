"""Answers statements by psycopg 3, in the lines of pgjdbc/Rows.java; cells as the text that came."""
import base64
import sys

import psycopg


def encoded(data):
    return base64.b64encode(data).decode()


connection = psycopg.connect(autocommit=True)
for line in sys.stdin:
    sql = base64.b64decode(line)
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, prepare=True)
            result = cursor.pgresult
            for row in range(result.ntuples):
                cells = (result.get_value(row, column) for column in range(result.nfields))
                print("R", *("-" if cell is None else "=" + encoded(cell) for cell in cells))
            print(".", flush=True)
    except psycopg.Error as error:
        print("E", error.sqlstate or "?????", encoded(str(error).encode()), flush=True)
