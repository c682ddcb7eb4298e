const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Words that cannot name a table or an alias without quotes: DuckDB's `reserved` and `type_function` classes, but for
 * those that it takes for names all the same (MAP, STRUCT, …).
 */
const RESERVED = words(`
  ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE DEFAULT
  DEFERRABLE DESC DESCRIBE DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GROUP HAVING IN INITIALLY
  INTERSECT INTO LAMBDA LATERAL LEADING LIMIT NOT NULL OFFSET ON ONLY OR ORDER PIVOT PIVOT_LONGER PIVOT_WIDER PLACING
  PRIMARY QUALIFY REFERENCES RETURNING SELECT SHOW SOME SUMMARIZE SYMMETRIC TABLE THEN TO TRAILING TRUE UNION UNIQUE
  UNPIVOT USING VARIADIC WHEN WHERE WINDOW WITH
  ANTI ASOF AT AUTHORIZATION BINARY BY COLLATION CONCURRENTLY CROSS FREEZE FULL GLOB ILIKE INNER IS ISNULL JOIN LEFT
  LIKE NATURAL NOTNULL OUTER OVERLAPS POSITIONAL RIGHT SEMI SIMILAR TABLESAMPLE UNPACK VERBOSE`);

/** Of these, the ones that nothing but a column can be where a value is expected, as PostgreSQL has it. */
const COLUMNS_ALL_THE_SAME = words(
  'AT BY DESCRIBE GLOB LAMBDA PIVOT PIVOT_LONGER PIVOT_WIDER SHOW SUMMARIZE UNPACK UNPIVOT',
);

/** Words after which DuckDB takes no parenthesis for that of a call: types, most of them. CHAR is spelled CHR for it. */
const NO_FUNCTIONS = words(`
  BETWEEN BIGINT BIT BOOLEAN CHARACTER COLUMNS DEC DECIMAL FLOAT INOUT INT INTEGER NATIONAL NCHAR NONE NUMERIC OPERATOR
  OUT PRECISION REAL SETOF SMALLINT TIME TIMESTAMP TREAT VALUES VARCHAR XMLATTRIBUTES XMLCONCAT XMLELEMENT XMLEXISTS
  XMLFOREST XMLNAMESPACES XMLPARSE XMLPI XMLROOT XMLSERIALIZE XMLTABLE`);

/** Statements that are not SELECT, by their first word: refused by name. */
const OTHER_STATEMENTS = words(`
  INSERT UPDATE DELETE MERGE REPLACE UPSERT CREATE DROP ALTER TRUNCATE SET RESET SHOW EXPLAIN BEGIN START COMMIT
  ROLLBACK ABORT CALL COPY ATTACH DETACH PRAGMA USE DESCRIBE DESC SUMMARIZE GRANT REVOKE LOAD INSTALL EXPORT IMPORT
  VACUUM ANALYZE EXECUTE PREPARE DEALLOCATE DECLARE CHECKPOINT PIVOT UNPIVOT COMMENT FORCE RENAME LOCK`);

/** Keywords worth suggesting when a word looks like a slip of the finger. */
const SUGGESTED = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP',
    'ORDER',
    'HAVING',
    'LIMIT',
    'OFFSET',
    'UNION',
    'INTERSECT',
    'EXCEPT',
  ],
  ...[
    'INNER',
    'LEFT',
    'RIGHT',
    'FULL',
    'CROSS',
    'JOIN',
    'DISTINCT',
    'BETWEEN',
    'LIKE',
    'EXISTS',
    'CASE',
    'WHEN',
  ],
  ...['THEN', 'ELSE', 'WINDOW', 'QUALIFY', 'VALUES', 'FETCH', 'WITH', 'USING'],
];

/** Whether an upper-case word needs quotes to be a name. */
export const isReserved = (upper: string): boolean => RESERVED.has(upper);

/** Whether an upper-case word needs quotes to be a column where a value is expected, or in a list of columns. */
export const isReservedForColumns = (upper: string): boolean =>
  isReserved(upper) && !COLUMNS_ALL_THE_SAME.has(upper);

/** Whether an upper-case word cannot be the name of a function, even one that there is not. */
export const namesNoFunction = (upper: string): boolean => NO_FUNCTIONS.has(upper);

/** Whether a statement starting with this upper-case word is something other than a query. */
export const startsOtherStatement = (upper: string): boolean => OTHER_STATEMENTS.has(upper);

/** The keyword one edit (insert, delete, replace, swap) away from an upper-case word, if there is one. */
export function nearestKeyword(upper: string): string | undefined {
  if (upper.length < 3 || isReserved(upper)) return undefined;
  return SUGGESTED.find((keyword) => keyword !== upper && isOneEdit(upper, keyword));
}

function isOneEdit(typed: string, keyword: string): boolean {
  let same = 0;
  while (same < typed.length && typed[same] === keyword[same]) same++;
  const typedRest = typed.slice(same);
  const keywordRest = keyword.slice(same);
  return (
    typedRest.slice(1) === keywordRest ||
    typedRest === keywordRest.slice(1) ||
    typedRest.slice(1) === keywordRest.slice(1) ||
    (typedRest[0] === keywordRest[1] &&
      typedRest[1] === keywordRest[0] &&
      typedRest.slice(2) === keywordRest.slice(2))
  );
}
