/**
 * Answers statements: reads a line of base64 for each, writes `R` with the cells of a row in base64 (`-` for NULL), then `E` with
 * SQLSTATE and message, or `.`. Binary from the first time on.
 */

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;

public class Rows {
  static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/penstock?prepareThreshold=-1";
    Connection connection = DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD"));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line; (line = in.readLine()) != null; out.flush()) {
      String sql = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        ResultSet result = statement.executeQuery();
        int width = result.getMetaData().getColumnCount();
        while (result.next()) {
          StringBuilder row = new StringBuilder("R");
          for (int i = 1; i <= width; i++) {
            String cell = result.getString(i);
            row.append(' ').append(cell == null ? "-" : "=" + encoded(cell));
          }
          out.println(row);
        }
        out.println(".");
      } catch (SQLException error) {
        out.println("E " + error.getSQLState() + " " + encoded(String.valueOf(error.getMessage())));
      }
    }
    connection.close();
  }
}
