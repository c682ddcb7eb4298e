/**
 * What one SQL statement may be at most. Parsing is linear in the size of the text and recurses once a level; later
 * stages, and DuckDB's parser, take more than linear time in some of these.
 */
export const PARSER_LIMITS = Object.freeze({
  /** UTF-8 bytes of the whole text. */
  sqlBytesMax: 65_536,
  /** Tokens: names, literals, operators, brackets; comments and spaces are none. */
  tokensMax: 10_000,
  /** Levels of brackets, CASE and prefix operators inside each other. */
  nestingMax: 100,
  /** Tables joined by JOIN or by commas in one statement. */
  joinedTablesMax: 100,
  /** SELECTs in one statement: subqueries, common table expressions, operands of UNION. */
  selectsMax: 300,
  /** Grouping sets of one SELECT: DuckDB counts them while it parses for the cross-check. */
  groupingSetsMax: 4096,
  /**
   * Columns of all grouping sets of a statement, each set's counted: DuckDB writes them all out when it parses. 4,000
   * columns of one ROLLUP were 36 MB of its tree, and three seconds.
   */
  groupingColumnsMax: 20_000,
  /** Tokens of all named windows, each window's counted wherever it is used: there the tree has it whole. */
  windowTokensMax: 20_000,
  /** Levels of the finished tree, so that later stages may recurse; a chain `1 + 1 + …` is one level an operator. */
  treeLevelsMax: 700,
});
