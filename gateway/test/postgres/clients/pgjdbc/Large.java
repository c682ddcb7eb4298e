/** Takes all rows of a statement with a fetch size, and prints how many there were, what they add up to, and how long it took. */

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

public class Large {
  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/penstock";
    Connection connection = DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD"));
    connection.setAutoCommit(false);
    Statement statement = connection.createStatement();
    statement.setFetchSize(Integer.parseInt(args[1]));
    long started = System.nanoTime();
    long first = 0;
    long rows = 0;
    long chars = 0;
    BigDecimal sum = BigDecimal.ZERO;
    ResultSet result = statement.executeQuery(args[0]);
    int width = result.getMetaData().getColumnCount();
    while (result.next()) {
      if (rows++ == 0) first = System.nanoTime() - started;
      for (int i = 1; i <= width; i++) chars += result.getString(i).length();
      sum = sum.add(result.getBigDecimal("amount"));
    }
    connection.commit();
    long took = System.nanoTime() - started;
    System.out.println("{\"rows\":" + rows + ",\"chars\":" + chars + ",\"sum\":\"" + sum.toPlainString() + "\",\"firstMs\":" + first / 1_000_000 + ",\"ms\":" + took / 1_000_000 + "}");
  }
}
