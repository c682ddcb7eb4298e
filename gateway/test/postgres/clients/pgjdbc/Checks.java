/** What pgjdbc is tried with: metadata, parameters of each type in text and binary, fetch size, errors, batches, cancel. */

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.postgresql.PGConnection;

public class Checks {
  interface Work {
    Object run() throws Exception;
  }

  static final byte[] RAW = {0, 1, 127, (byte) 128, (byte) 255};
  static Connection connection;
  static String mode;

  static void say(String how, String name, String why) {
    System.out.println(how + " " + mode + " " + name.replace(":", " ") + (why == null ? "" : ": " + why.replace('\n', ' ')));
  }

  static void check(String name, Object expected, Work work) {
    try {
      Object got = work.run();
      if (expected == null || String.valueOf(expected).equals(String.valueOf(got))) say("ok", name, null);
      else say("FAILED", name, "expected " + expected + ", got " + got);
    } catch (Throwable error) {
      say("FAILED", name, String.valueOf(error));
    }
  }

  static void fails(String name, String state, Work work) {
    try {
      say("FAILED", name, "no error " + state + ": " + work.run());
    } catch (SQLException error) {
      if (state.equals(error.getSQLState())) say("ok", name, null);
      else say("FAILED", name, error.getSQLState() + " " + error.getMessage());
    } catch (Exception error) {
      say("FAILED", name, String.valueOf(error));
    }
  }

  static String show(Object value) {
    if (value instanceof byte[]) return Arrays.toString((byte[]) value);
    if (value instanceof BigDecimal) return ((BigDecimal) value).toPlainString();
    return String.valueOf(value);
  }

  static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int width = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> cells = new ArrayList<>();
      for (int i = 1; i <= width; i++) cells.add(show(result.getObject(i)));
      rows.add(String.join("|", cells));
    }
    result.close();
    return rows;
  }

  /** Only these columns of a result, by name. */
  static List<String> rows(ResultSet result, String... names) throws SQLException {
    List<String> rows = new ArrayList<>();
    while (result.next()) {
      List<String> cells = new ArrayList<>();
      for (String name : names) cells.add(show(result.getObject(name)));
      rows.add(String.join("|", cells));
    }
    result.close();
    return rows;
  }

  /** Seven times: the driver goes over to a prepared statement, and to binary, after five. */
  static List<String> asked(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      List<String> rows = null;
      for (int round = 0; round < 7; round++) {
        List<String> now = rows(statement.executeQuery());
        if (rows != null && !rows.equals(now)) throw new SQLException("round " + round + " gave " + now + " after " + rows);
        rows = now;
      }
      return rows;
    }
  }

  static List<String> simply(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return rows(statement.executeQuery(sql));
    }
  }

  static void metadata() throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    check("version", 18, meta::getDatabaseMajorVersion);
    check("getTables", "[shop|events|TABLE, shop|things|TABLE]", () -> rows(meta.getTables(null, "shop", "%", new String[] {"TABLE", "VIEW"}), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE"));
    check("getColumns", "[device|12|text|0, tick|2|numeric|0, level|12|text|1, reading|2|numeric|1]", () -> rows(meta.getColumns(null, "shop", "events", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "NULLABLE"));
    check("getPrimaryKeys", "[device|1|events_pkey, tick|2|events_pkey]", () -> rows(meta.getPrimaryKeys(null, "shop", "events"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"));
    check("getIndexInfo", "[events_pkey|device|false, events_pkey|tick|false, by-level|level|true, by-level|tick|true]", () -> rows(meta.getIndexInfo(null, "shop", "events", false, true), "INDEX_NAME", "COLUMN_NAME", "NON_UNIQUE"));
    check("getTypeInfo", true, () -> rows(meta.getTypeInfo(), "TYPE_NAME", "DATA_TYPE").containsAll(List.of("numeric|2", "text|12", "bool|-7", "bytea|-2", "jsonb|1111")));
    check("getSchemas", "[information_schema, pg_catalog, public, shop]", () -> rows(meta.getSchemas(), "TABLE_SCHEM"));
    check("getCatalogs", "[penstock]", () -> rows(meta.getCatalogs()));
    check("getTableTypes", true, () -> rows(meta.getTableTypes()).contains("TABLE"));
    check("getImportedKeys", "[]", () -> rows(meta.getImportedKeys(null, "shop", "events")));
    check("getExportedKeys", "[]", () -> rows(meta.getExportedKeys(null, "shop", "events")));
    check("getCrossReference", "[]", () -> rows(meta.getCrossReference(null, "shop", "events", null, "shop", "things")));
    check("getBestRowIdentifier", "[device, tick]", () -> rows(meta.getBestRowIdentifier(null, "shop", "events", DatabaseMetaData.bestRowSession, true), "COLUMN_NAME"));
    check("getProcedures", "[]", () -> rows(meta.getProcedures(null, "shop", "%")));
    check("getProcedureColumns", "[]", () -> rows(meta.getProcedureColumns(null, "shop", "%", "%")));
    check("getFunctions", "[]", () -> rows(meta.getFunctions(null, "shop", "%")));
    check("getFunctionColumns", "[]", () -> rows(meta.getFunctionColumns(null, "shop", "%", "%")));
    check("getTablePrivileges", true, () -> rows(meta.getTablePrivileges(null, "shop", "events"), "GRANTEE", "PRIVILEGE").contains("PUBLIC|SELECT"));
    check("getColumnPrivileges", null, () -> rows(meta.getColumnPrivileges(null, "shop", "events", "%")));
    check("getVersionColumns", null, () -> rows(meta.getVersionColumns(null, "shop", "events")));
    check("getUDTs", null, () -> rows(meta.getUDTs(null, "shop", "%", null)));
    check("getClientInfoProperties", null, () -> rows(meta.getClientInfoProperties()));
    check("getSQLKeywords", true, () -> meta.getSQLKeywords().length() > 100);
    check("getMaxColumnNameLength", 63, meta::getMaxColumnNameLength);
    check("settings among the options", "[50]", () -> {
      String url = meta.getURL().replaceAll("[?].*", "") + "?options=-c%20penstock.max_read_units=50";
      try (Connection bounded = DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD")); Statement statement = bounded.createStatement()) {
        return rows(statement.executeQuery("SHOW penstock.max_read_units"));
      }
    });
  }

  static void values() {
    check("numbers", "[n0|0, n1|-1, n2|10.5, n3|12345678901234567890123456789012345678, n4|0.00000000000000000000000000000000000001, n5|-99999999999999999999.999999999999999999, n6|1000000000000000000000000000000, n7|0.000000000000000000015, n8|9007199254740993]", () -> asked("SELECT id, amount FROM shop.things WHERE id LIKE ? ORDER BY id", "n_"));
    check("a row of every type", "[7|Grüße, 世界 😀 \"quoted\" \\back\\ \t tab|true|[0, 1, 127, -128, -1]|{\"floor\":3,\"zip\":\"1000\"}|text]", () -> asked("SELECT amount, name, paid, raw, address, mixed FROM shop.things WHERE id = ?", "full"));
    check("NULLs", "[null|null|null|null]", () -> asked("SELECT amount, name, paid, raw FROM shop.things WHERE id = ?", "nulls"));
    check("int", "[full]", () -> asked("SELECT id FROM shop.things WHERE amount = ?", 7));
    check("numeric", "[n3]", () -> asked("SELECT id FROM shop.things WHERE amount = ?", new BigDecimal("12345678901234567890123456789012345678")));
    check("long back", "[1099511627776]", () -> asked("SELECT ? AS v", 1L << 40));
    check("numeric back", "[12345678901234567890.5]", () -> asked("SELECT ? AS v", new BigDecimal("12345678901234567890.5")));
    check("double", "[n2]", () -> asked("SELECT id FROM shop.things WHERE amount = ?", 10.5));
    check("boolean", "[full]", () -> asked("SELECT id FROM shop.things WHERE paid = ?", true));
    check("bytes", "[full]", () -> asked("SELECT id FROM shop.things WHERE raw = ?", RAW));
    check("java.time date", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST(day AS DATE) = ?", LocalDate.of(2024, 2, 29)));
    check("java.sql date", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST(day AS DATE) = ?", java.sql.Date.valueOf("2024-02-29")));
    check("java.sql timestamp", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST(at AS TIMESTAMP) = ?", Timestamp.valueOf("2024-02-29 23:59:59.123456")));
    check("java.time timestamp", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST(at AS TIMESTAMP) = ?", LocalDateTime.of(2024, 2, 29, 23, 59, 59, 123456000)));
    check("java.time timestamptz", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST(at AS TIMESTAMPTZ) = ?", OffsetDateTime.of(2024, 3, 1, 1, 59, 59, 123456000, ZoneOffset.ofHours(2))));
    check("java.time time", "[full]", () -> asked("SELECT id FROM shop.things WHERE CAST('01:02:03' AS TIME) = ? AND id = 'full'", LocalTime.of(1, 2, 3)));
    check("times back", "[2024-02-29T23:59:59.123456Z 2024-02-29 2024-02-29T23:59:59.123456]", () -> {
      try (PreparedStatement statement = connection.prepareStatement("SELECT CAST(at AS TIMESTAMPTZ), CAST(day AS DATE), CAST(at AS TIMESTAMP) FROM shop.things WHERE id = 'full'")) {
        String found = null;
        for (int round = 0; round < 7; round++) {
          ResultSet result = statement.executeQuery();
          result.next();
          found = "[" + result.getObject(1, OffsetDateTime.class) + " " + result.getObject(2, LocalDate.class) + " " + result.getObject(3, LocalDateTime.class) + "]";
        }
        return found;
      }
    });
    check("array of texts", "[full, n1]", () -> asked("SELECT id FROM shop.things WHERE id = ANY (?) ORDER BY id", connection.createArrayOf("text", new String[] {"n1", "full"})));
    check("array of integers", "[1, 2]", () -> asked("SELECT tick FROM shop.events WHERE tick = ANY (?) ORDER BY tick", connection.createArrayOf("int4", new Integer[] {1, 2})));
    check("typed NULL", "[]", () -> {
      PreparedStatement statement = connection.prepareStatement("SELECT id FROM shop.things WHERE amount = ?");
      statement.setNull(1, Types.NUMERIC);
      return rows(statement.executeQuery());
    });
    check("LIMIT and OFFSET", "[full, n0]", () -> asked("SELECT id FROM shop.things ORDER BY id LIMIT ? OFFSET ?", 2, 1));
    check("casts", "[7|7.0|7|7.00|2500]", () -> asked("SELECT CAST(amount AS INTEGER), CAST(amount AS DOUBLE PRECISION), CAST(amount AS BIGINT), CAST(amount AS DECIMAL(10,2)), (SELECT COUNT(*) FROM shop.events) FROM shop.things WHERE id = ?", "full"));
    check("what a statement looks like", "id text 12, amount numeric 2, paid bool -7, raw bytea -2, address jsonb 1111; text", () -> {
      PreparedStatement statement = connection.prepareStatement("SELECT id, amount, paid, raw, address FROM shop.things WHERE id = ?");
      ResultSetMetaData meta = statement.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) columns.add(meta.getColumnName(i) + " " + meta.getColumnTypeName(i) + " " + meta.getColumnType(i));
      return String.join(", ", columns) + "; " + statement.getParameterMetaData().getParameterTypeName(1);
    });
    check("a list of the catalogs", "[1, 2]", () -> {
      PreparedStatement statement = connection.prepareStatement("SELECT conkey FROM pg_catalog.pg_constraint WHERE conname = 'events_pkey'");
      String found = null;
      for (int round = 0; round < 7; round++) {
        ResultSet result = statement.executeQuery();
        result.next();
        found = Arrays.toString((Object[]) result.getArray(1).getArray());
      }
      return found;
    });
  }

  static void fetching() {
    check("fetch size", 2500, () -> {
      connection.setAutoCommit(false);
      Statement statement = connection.createStatement();
      statement.setFetchSize(100);
      ResultSet result = statement.executeQuery("SELECT * FROM shop.events");
      int count = 0;
      while (result.next()) count++;
      connection.commit();
      connection.setAutoCommit(true);
      return count;
    });
    check("max rows", 7, () -> {
      PreparedStatement statement = connection.prepareStatement("SELECT device FROM shop.events");
      statement.setMaxRows(7);
      return rows(statement.executeQuery()).size();
    });
    check("scrolling in memory", 12, () -> {
      Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
      ResultSet result = statement.executeQuery("SELECT id FROM shop.things");
      result.last();
      return result.getRow();
    });
    check("several statements", "[1][2]", () -> {
      Statement statement = connection.createStatement();
      statement.execute("SELECT 1; SELECT 2");
      String first = String.valueOf(rows(statement.getResultSet()));
      statement.getMoreResults();
      return first + rows(statement.getResultSet());
    });
    check("COPY TO", "n2\t10.5\n", () -> {
      java.io.StringWriter out = new java.io.StringWriter();
      connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY (SELECT id, amount FROM shop.things WHERE id = 'n2') TO STDOUT", out);
      return out;
    });
  }

  static void failures() {
    check("an error, its place, and going on", "42703 8 [1]", () -> {
      try {
        simply("SELECT nope FROM shop.things");
        return "no error";
      } catch (org.postgresql.util.PSQLException error) {
        return error.getSQLState() + " " + error.getServerErrorMessage().getPosition() + " " + simply("SELECT 1");
      }
    });
    check("autocommit off", mode.startsWith("autosave") ? "42703 42703 [1]" : "42703 25P02 42703 [1]", () -> {
      connection.setAutoCommit(false);
      String states = "";
      for (String sql : List.of("SELECT nope FROM shop.things", "SELECT 1")) {
        try {
          simply(sql);
        } catch (SQLException error) {
          states += error.getSQLState() + " ";
        }
      }
      connection.rollback();
      Savepoint savepoint = connection.setSavepoint();
      try {
        simply("SELECT nope FROM shop.things");
      } catch (SQLException error) {
        states += error.getSQLState() + " ";
      }
      connection.rollback(savepoint);
      states += simply("SELECT 1");
      connection.releaseSavepoint(savepoint);
      connection.commit();
      connection.setAutoCommit(true);
      return states;
    });
    check("read only", "[1] false", () -> {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      List<String> rows = simply("SELECT 1");
      connection.commit();
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
      return rows + " " + connection.isReadOnly();
    });
    check("isolation", null, () -> {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      return simply("SELECT 1");
    });
    fails("update", "25006", () -> connection.createStatement().executeUpdate("UPDATE shop.things SET name = 'x'"));
    fails("a batch of writes", "25006", () -> {
      PreparedStatement statement = connection.prepareStatement("INSERT INTO shop.things VALUES (?)");
      for (String id : List.of("a", "b")) {
        statement.setString(1, id);
        statement.addBatch();
      }
      return statement.executeBatch();
    });
    fails("updating a row", "25006", () -> {
      Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
      ResultSet result = statement.executeQuery("SELECT id, name FROM shop.things WHERE id = 'full'");
      result.next();
      result.updateString(2, "x");
      result.updateRow();
      return null;
    });
    fails("query timeout", "57014", () -> {
      Statement statement = connection.createStatement();
      statement.setQueryTimeout(1);
      return rows(statement.executeQuery("SELECT COUNT(*) FROM shop.events a, shop.events b, shop.events c WHERE a.reading < b.reading AND b.reading < c.reading"));
    });
    check("going on after that", "[1]", () -> simply("SELECT 1"));
  }

  static void session() {
    check("schema", "shop [2500]", () -> {
      connection.setSchema("shop");
      String found = connection.getSchema() + " " + simply("SELECT COUNT(*) FROM events");
      connection.setSchema("public");
      return found;
    });
    check("is valid", true, () -> connection.isValid(5));
    check("client info", "[report]", () -> {
      connection.setClientInfo("ApplicationName", "report");
      return simply("SHOW application_name");
    });
    check("escapes", "[FULL|2024-02-29]", () -> asked("SELECT {fn ucase(id)}, {d '2024-02-29'} FROM shop.things WHERE id = ?", "full"));
  }

  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/penstock";
    // The driver's own choice; binary from the first time on; everything prepared; a savepoint before each statement.
    for (String options : List.of("", "prepareThreshold=-1", "preferQueryMode=extendedCacheEverything", "autosave=always")) {
      mode = options.isEmpty() ? "(no options)" : options;
      Properties properties = new Properties();
      properties.put("user", System.getenv("PGUSER"));
      properties.put("password", System.getenv("PGPASSWORD"));
      connection = DriverManager.getConnection(url + "?" + options, properties);
      if (options.isEmpty()) metadata();
      values();
      fetching();
      failures();
      session();
      connection.close();
    }
    System.out.println("done");
  }
}
