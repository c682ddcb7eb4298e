/** The prose of the SQL reference. Every statement in an sql block is run by a test on the tables of its examples. */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { RECURSION_ROWS_MAX, SERIES_ROWS_MAX, UNNESTED_ELEMENTS_MAX } from '../limits.ts';
import { sqlBlock, table } from './markdown.ts';

export const INTRODUCTION = `# SQL reference

One SELECT statement a request, over DynamoDB tables named \`schema.table\`. The dialect is close to PostgreSQL's; what
DynamoDB has differently (types by item, missing attributes, nested documents) is described here. The examples use two
tables: \`shop.customers\` (partition key \`id\`) and \`shop.orders\` (partition key \`customer\`, sort key \`number\`).

This page is generated: UPDATE_GOLDEN=1 and the test of \`reference/\` write it anew.`;

export const GRAMMAR = `## Statements

\`\`\`text
[WITH [RECURSIVE] name [(columns)] AS (query) [, …]]
SELECT [DISTINCT [ON (expressions)]] * | table.* | schema.table.* | expression [[AS] name] [, …]
         (after a star: [EXCLUDE (columns)] [REPLACE (expression AS column, …)] [RENAME (column AS name, …)])
[FROM table | schema.table.index | [LATERAL] (query) | (VALUES (…), …) | (… JOIN …) | function [[AS] alias [(columns)]] [, …]]
  (functions: generate_series(start, stop [, step]), unnest(list), each with [WITH ORDINALITY])
  [[INNER] | LEFT [OUTER] | RIGHT [OUTER] | FULL [OUTER] JOIN … ON condition | USING (columns)]
  [CROSS JOIN …] [NATURAL … JOIN …] [SEMI JOIN … ON condition | USING (columns)]
[WHERE condition]
[GROUP BY expressions | () | ROLLUP (…) | CUBE (…) | GROUPING SETS (…)]
[HAVING condition] [WINDOW name AS (…)] [QUALIFY condition]
[UNION | INTERSECT | EXCEPT [ALL] query]
[ORDER BY expression | position | alias [ASC | DESC] [NULLS FIRST | LAST] [, …]]
[LIMIT n] [OFFSET n [ROWS]] [FETCH FIRST | NEXT [n] ROW | ROWS ONLY]
\`\`\`

Subqueries may stand wherever a value may, after IN, EXISTS, ANY and ALL, and may refer to the query around them; an aggregate
over columns of that query alone is computed there. FROM may
stand before SELECT, and alone means \`SELECT *\`, as \`TABLE name\` does. SEMI JOIN keeps the rows on the left that have a partner; nothing of the
right is to be seen then. ORDER BY takes no constant but a position, and names an item without an alias by its function (\`count\` for \`count(*)\`); with DISTINCT ON it
starts with the same expressions, and what follows tells which row of each is kept. \`GROUP BY ()\` makes one group of all
rows; GROUPING SETS may hold ROLLUP, CUBE and further GROUPING SETS. The name of a join in brackets hides the names inside.
\`ARRAY(SELECT …)\` is the list of one column's values, in the order of its rows, and empty where there is no row.

\`generate_series\` makes the whole numbers, decimals or timestamps from a start to a stop, ${SERIES_ROWS_MAX.toLocaleString('en')} rows at most;
\`unnest\` makes a row of each element of a list, and none of what is no list; \`jsonb_array_elements\` has them as JSON in a column
\`value\`, \`jsonb_array_elements_text\` as text. \`jsonb_object_keys\` makes a row of each name in a map, \`jsonb_each\` and
\`jsonb_each_text\` one of each \`key\` and \`value\`. All take
columns of what is joined before them, or of a query around theirs: a comma or CROSS JOIN leaves out rows without elements, LEFT JOIN … ON TRUE keeps
them. Where further JOINs follow, write CROSS JOIN rather than a comma before it. A list may have ${UNNESTED_ELEMENTS_MAX.toLocaleString('en')} elements, a series of columns about a thousand.
WITH ORDINALITY adds the place, from 1. A SELECT list may have one such call: each of its rows comes once for each element, after groups and
windows are computed, unless a group is by what it makes.

A LATERAL subquery names columns of what stands before it in FROM, and is computed for each of its rows: after a comma, CROSS
JOIN, JOIN … ON and LEFT JOIN … ON.

A query of WITH RECURSIVE may name itself once, in FROM after its UNION: there it stands for the rows that came last, until
none come. With UNION, rows that were there before lead no further, so that cycles end. Its tables are read once, and whole
but for what constants select; its steps make ${RECURSION_ROWS_MAX.toLocaleString('en')} rows at most. Whole numbers and decimals
keep 18 digits before the point from step to step.

${sqlBlock(
  `SELECT c.name, count(*) AS orders FROM shop.customers c JOIN shop.orders o ON o.customer = c.id GROUP BY c.name ORDER BY orders DESC LIMIT 3`,
  `WITH open AS (SELECT customer, total FROM shop.orders WHERE status = 'open') SELECT customer, sum(total) FROM open GROUP BY customer`,
  `SELECT c.name, l.number FROM shop.customers c CROSS JOIN LATERAL (SELECT number FROM shop.orders o WHERE o.customer = c.id ORDER BY number DESC LIMIT 2) l`,
  `WITH RECURSIVE days(day) AS (SELECT DATE '2024-02-27' UNION ALL SELECT CAST(day + INTERVAL 1 DAY AS DATE) FROM days WHERE day < DATE '2024-03-02') SELECT day FROM days`,
  `SELECT name FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer = c.id AND o.total > 70)`,
  `SELECT customer, number FROM shop.orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer ORDER BY number DESC) = 1`,
  `SELECT customer, status, sum(total) FROM shop.orders GROUP BY GROUPING SETS (ROLLUP (customer, status), status)`,
  `SELECT j.name, j.total FROM (shop.customers c JOIN shop.orders o ON o.customer = c.id) AS j WHERE j.status = 'open'`,
  `SELECT name, ARRAY(SELECT number FROM shop.orders WHERE customer = c.id ORDER BY number DESC LIMIT 3) AS latest FROM shop.customers c`,
  `SELECT c.name, tag, place FROM shop.customers c CROSS JOIN unnest(c.tags) WITH ORDINALITY AS t(tag, place)`,
  `SELECT unnest(tags) AS tag, count(*) FROM shop.customers GROUP BY tag`,
  `SELECT n, count(o.number) FROM generate_series(1, 3) AS g(n) LEFT JOIN shop.orders o ON o.number = g.n GROUP BY n`,
  `SELECT day FROM generate_series(TIMESTAMP '2024-02-27', TIMESTAMP '2024-03-02', INTERVAL '1 day') AS day`,
  `SELECT status, PERCENTILE_CONT(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY total) FROM shop.orders GROUP BY status`,
  `SELECT * EXCLUDE (tags) REPLACE (UPPER(name) AS name) FROM shop.customers SEMI JOIN shop.orders o ON o.customer = customers.id`,
)}`;

export const NAMES = `## Names

- A name is first matched exactly, then whatever its case, if just one attribute fits; else the error names the candidates.
- Names that are reserved words, or hold anything but letters, digits and \`_\`, stand in double quotes: \`"order"\`, \`"first-name"\`.
  A quote inside is doubled. Tables may have dashes without quotes; with dots they need them: \`shop."my.table"\`.
- Words that SQL reserves no place for are names as they stand: \`date\`, \`at\`, \`map\`, \`value\`. After AS, and after a dot,
  any word is one.
- Single quotes are for text only. Backticks and square brackets quote nothing.
- Where the tenant has one schema, its name may be left out.
- An attribute that no sampled item has: \`Column not found\` without quotes; in double quotes it is read just as it is
  spelled, and is NULL where it is absent.
- \`SELECT *\` gives the keys first, then the known attributes by name, and last those that were
  met later: by other queries, or by its own reads. CSV and Parquet name their columns once 8 MiB were read, or all; an
  attribute that comes later ends them with an error that names it (it is known from then on), unless the option
  \`lateAttributes\` says otherwise.
- Into maps and lists: \`address.street\`, \`address['street']\`, \`address.geo[0]\`, to any depth; the first element is 0. A step
  into something that is not there is NULL. It works through derived tables and common table expressions too.
- A subscript may be computed, two steps in a row at most: \`tags[number - 1]\`, \`address[:field]\`. One below 0 counts from the end: \`tags[-1]\` is the
  last element.
- \`tags[0:1]\` is the list of the elements from one place to another, counted as in subscripts: from 0, both ends included, below 0
  from the end. \`tags[1:]\` goes on to the last, \`tags[: -2]\` begins with the first. PostgreSQL and DuckDB count from 1 there: a
  warning says so.
- Attributes and what lies in them keep all their digits, also as elements of \`unnest\` and by computed steps. Numbers of documents
  that a query makes itself (\`TO_JSON(x).y\`, \`ARRAY_AGG(x)[0]\`) do, too, but arithmetic goes on as DOUBLE unless the number is
  cast first; the JSON functions, slices, and steps into text that is JSON read fractions as DOUBLE, to 15 digits.

${sqlBlock(`SELECT id, address.street, address.geo[1] AS latitude FROM shop.customers WHERE address.geo[0] > 1`)}`;

export const INDEXES_BY_NAME = `## An index by its name

\`FROM schema.table.index\` reads the entries of that index as a relation of its own, as PartiQL's \`"table"."index"\` does:

- Its columns are the index's keys, the table's keys and the projected attributes, in this order; each column of a key has a
  value in every row. Another column is \`Column not found\`: it is in the table only.
- Items that the index lacks are not there, and that is what was asked: those without one of its keys, and those whose values
  were no keys when a global index was added.
- Conditions on its keys, ORDER BY its sort key, LIMIT, joins and counts are read by its keys, as a table's are by the table's.
  Nothing is ever looked up in the table: where that is wanted, join it by its key.
- A global index is some moments behind its table, and cannot be read with \`options.consistentRead\`.
- Always three parts: two are a schema and a table. \`shop.orders.by-region\` needs no quotes; after a table with a dash the index
  stands in them, as \`shop.my-table."by-region"\`, since such a table's name may go on after a dot. Its columns are qualified
  by the index's name or an alias: \`FROM shop.orders.by_region AS r WHERE r.region = 'eu'\`.
- It costs what its own size says: a sparse index of few entries is a cheap list. Plan mode shows it as \`Query\` or \`Scan\` of
  \`shop.orders.by_region\`.`;

export const SEGMENTS_BY_NAME = `## A table in segments

\`FROM schema.table."$segments"\` is the table with one column more, \`segment\`: the number, 0 to ${SEGMENT_COUNT - 1}, of the part of
a parallel scan that an item is in. Programs that share a large read among tasks give each a range of it:

- A condition on \`segment\` reads those segments and nothing else: \`=\`, \`IN\`, \`BETWEEN\`, \`<\`, with AND, OR and NOT. All ranges
  together are each item once, for what one scan costs and half a unit a segment at most. Of what is written meanwhile,
  each segment has what was there when it was read.
- Where nothing asks for \`segment\`, it is read as the table is, by its keys and indexes.
- A key does not help where \`segment\` is asked for, nor does an index.
- A table whose items have an attribute \`segment\` of their own is refused.

\`FROM t TABLESAMPLE SYSTEM (10)\` reads a tenth of the segments, for a tenth of a scan and half a unit for each of them;
\`TABLESAMPLE BERNOULLI (10)\` reads the whole table, and takes a tenth of its items. Neither is by chance: the same items are the same
sample each time, and \`REPEATABLE (7)\` has another.

${sqlBlock(`SELECT id, name FROM shop.customers."$segments" WHERE segment BETWEEN 0 AND 999`)}`;

export const TYPES = `## Types

${table(
  ['DynamoDB', 'In SQL', 'In a response'],
  [
    [
      'N',
      'BIGINT, then HUGEINT and DECIMAL up to 38 digits, exact; DOUBLE only beyond',
      'a number with all its digits',
    ],
    ['S', 'VARCHAR', 'a string'],
    ['BOOL', 'BOOLEAN', 'true, false'],
    ['NULL, or no such attribute', 'NULL', 'null'],
    ['B', 'BLOB; compared with text as base64', 'a base64 string'],
    ['M, L', 'JSON', 'an object, an array'],
    ['SS, NS, BS', 'JSON', 'an array, sorted'],
    ['several types in one attribute', 'MIXED: compared and shown by value', 'as the value is'],
  ],
)}

- A column's type is inferred from the values that are read, never from the sample alone: nothing is dropped or rounded to fit. Of a
  column without any value, \`columnTypes\` says what the sample expects.
- Binary values are written \`X'1F'\`, two hexadecimal digits a byte, or given in base64 as text or parameter: \`b = 'Hw=='\`
  too finds a key. Only \`X'…'\` compares in the order of the bytes.
- Lists are written \`[1, 'a']\` or \`ARRAY[1, 'a']\`.
- Dates and times are in UTC. Text with a zone is brought to it: \`'2024-03-01T00:30:00+02:00'\` is 22:30 of the day before.
- Values of different types compare by value, each pair by itself, whatever else the attribute holds: a number with text as
  numbers (\`'07' = 7\`, but \`'07' <> '7'\`), TRUE and FALSE with a number as 1 and 0 and with text as what it spells, a date
  with ISO text as dates, binary values and documents with text as their base64 and JSON text. What cannot be compared is
  not equal, neither less nor greater, and is no error: \`NOT (x < 5)\` is true where x is 'abc'.
- Lists compare element by element with \`<\` and its kin; a nested list or a map in them by its JSON text.
- In arithmetic, text that is a number counts as it, other text as NULL. \`CAST\` is strict and fails on such text;
  \`TRY_CAST\` gives NULL.
- Values that count as NULL since they are of another kind than is wanted are counted, and \`warnings\` say so:
  \`50 values of v are no numbers, and count as NULL\`, of the items that were read and pass what WHERE asks of them. So it is in
  arithmetic, conditions, and arguments of functions that take numbers, dates, lists or maps; not in comparisons, which say
  of such values that they are not equal. An attribute of which every value is of another kind is refused by name.
- \`CAST(x AS DECIMAL)\` without digits keeps exact numbers as they are; of text and doubles it keeps ten digits after the
  point. \`DECIMAL(p, s)\` rounds to s digits and fails beyond p.
- Types for CAST: TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT, DECIMAL, REAL, DOUBLE, VARCHAR, BOOLEAN, DATE, TIME,
  TIMESTAMP, TIMESTAMPTZ, INTERVAL, BLOB, JSON, and their usual other names. \`x::type\` is the same. \`VARCHAR(n)\` and \`CHAR(n)\`
  cut a text to n characters, and fill up none; \`TIMESTAMP(0)\` and \`TIMESTAMP(3)\` round, with a time zone too. \`FLOAT\` is a DOUBLE.
- \`x AT TIME ZONE 'Europe/Vienna'\` is what clocks there show; of a TIMESTAMP, which clocks there showed, when that was. A
  text and NOW() are moments.

${sqlBlock(
  `SELECT TRY_CAST(code AS BIGINT), TYPEOF(code) FROM shop.orders WHERE customer = 'c1'`,
  `SELECT number FROM shop.orders WHERE placed >= TIMESTAMP '2024-05-01 00:00:00'`,
  `SELECT X'68690A' AS bytes, OCTET_LENGTH(X'68690A') AS length, SIZE([1, 'a', NULL]) AS elements`,
  `SELECT EXTRACT(MONTH FROM placed), DATE_TRUNC('month', placed), CAST(placed AS DATE) + INTERVAL 1 DAY FROM shop.orders`,
)}`;

export const SEMANTICS = `## NULL, division, order

- A missing attribute and DynamoDB's NULL are both SQL NULL. NULL makes comparisons and arithmetic NULL; \`IS [NOT] NULL\` and
  \`IS [NOT] DISTINCT FROM\` never are. \`x NOT IN (…, NULL)\` is never true. Aggregates leave NULL out; \`count(*)\` does not.
- \`/\` does not cut: \`5 / 2\` is 2.5. \`//\` gives the whole part of a quotient: \`5 // 2\` is 2, \`-5 // 2\` is -2. By zero, \`/\`,
  \`//\` and \`%\` give NULL.
- Quotients and means of exact numbers are decimals, rounded after 16 digits behind the point or more; they go on as DOUBLE where
  38 digits are not enough for these and those before the point, and after eight quotients of quotients. Deviations and variances
  of numbers up to 19 digits are exact until the result is rounded to a DOUBLE.
- \`||\` with NULL is NULL; \`CONCAT\` leaves NULL out. Two lists, or a list and a number or truth value, are joined to one list. \`^\` is bitwise XOR; powers are \`POWER(a, b)\`.
- NULL sorts below every value: first ascending, last descending, unless NULLS FIRST or LAST says otherwise. Text sorts by
  its UTF-8 bytes, as DynamoDB sorts keys: upper case before lower case. \`COLLATE "C"\` says the same; there is no other order.
- Of a MIXED column, numbers sort first, then text, then booleans, binary values, and documents.
- \`LIKE\` tells upper from lower case, \`ILIKE\` does not; \`%\` and \`_\` are made plain by \`ESCAPE\`.
- \`text ^@ start\` is \`STARTS_WITH(text, start)\`.
- \`~\` matches a regular expression (RE2's) anywhere in a text, \`~*\` whatever the case, \`!~\` and \`!~*\` say whether it does not,
  all as in PostgreSQL. \`SIMILAR TO\` is the standard's: the whole text, \`%\` and \`_\` as in LIKE, \`| * + ? {2} ( ) [ ]\` as in regular
  expressions, a backslash before what is meant plainly; its pattern is a constant.
- \`x = ANY (ARRAY[1, 2])\` is \`x IN (1, 2)\`, \`x <> ALL\` NOT IN; all comparisons work. PostgreSQL's \`'{1,2}'\` and \`ARRAY[…]::int[]\` are such lists, too. Of a list that is an attribute, \`x = ANY (tags)\`
  is \`ARRAY_CONTAINS(tags, x)\`, \`x <> ALL (tags)\` its opposite: there, a NULL in the list equals nothing.
- \`address->'geo'->0\` is \`address.geo[0]\`: a text is a name in a map, a number a place in a list. \`->>\` gives its text,
  \`address#>'{geo,0}'\` and \`#>>\` go along a path. They step into text that is JSON, too. JSON's null comes out as NULL.
- \`a @> b\` and \`b <@ a\` tell whether a document has all of another in the same places, as PostgreSQL's jsonb: \`address @> '{"geo": [1]}'\`,
  \`tags @> ARRAY['x']\`. What is looked for is a constant, or a list of plain values. \`tags && ARRAY['x', 'y']\` tells whether lists
  have an element in common, \`address ? 'geo'\` whether a map has a name or a list a text, \`?|\` and \`?&\` whether one or all of several.
  A question mark after a value is the operator, elsewhere a parameter.
- \`OPERATOR(pg_catalog.=)\`, as tools write it, is the operator in it.
- \`ARRAY_AGG\` and \`STRING_AGG\` have the order that their parentheses say; else that of the window's ORDER BY; else that of
  their rows, where these are of a sorted subquery, of VALUES or of a list's elements; else that of their values. An aggregate
  with DISTINCT can be ordered by its arguments only.
- Where one of several rows that are equal in a window's order has to come first, all columns decide. A ROWS frame that
  leaves out peers (EXCLUDE GROUP, EXCLUDE TIES) is for COUNT, SUM, AVG, MIN, MAX, BOOL_AND, BOOL_OR, the BIT_ functions,
  PRODUCT, FIRST_VALUE and LAST_VALUE; RANGE and GROUPS frames are for all.
- Without ORDER BY, the order is the same for the same data: pages neither repeat nor skip rows.

Precedence, from the tightest: \`::\`, \`[ ]\` and \`.\`; a sign; \`^\`; \`* / // %\`; \`+ -\`; \`|| & | << >>\`, \`~\` and its
kin, \`->\` and its kin, OPERATOR(); BETWEEN, IN, LIKE, SIMILAR TO; comparisons; IS; NOT; AND; OR.`;

export const PARAMETERS = `## Parameters

Values never need quoting: write \`?\` (or \`$1\`, \`$2\`) and give \`options.parameters\` as an array, or \`:name\` and an object. A
value is a string, number, boolean or null; bytes are a string of base64. For \`IN (…)\` write one parameter for each value.
Keys are looked up by parameters just as by literals.

\`\`\`json
{ "sql": "SELECT name FROM shop.customers WHERE id = :id", "options": { "parameters": { "id": "c1" } } }
\`\`\``;

export const CHEAP = `## Queries that cost little

A query costs what DynamoDB charges for its reads: half a unit for 4 KB, rounded up for each item that is looked up by
key and for each page of a Query or Scan. The mode \`plan\` shows every read, why it was chosen and what it should cost,
and reads nothing. \`estimatedReadUnits\` there says between which units the statement will probably come out: it is narrow
where the price is known, as of a scan or of whole keys, and wide where it depends on what is found. In the plan the bounds
of each read stand in parentheses: the lower is certain, as half a unit for a key is; the upper holds where tables are as
large as when DynamoDB last counted them, a tenth aside, and no item picked out is more than four times as large as all are
on average. \`readUnits\` in a response says what it did cost; \`options.maxReadUnits\` sets a bound: where \`low\` is
above it, the statement is refused before anything is read.

Where a statement costs more than 10 units, and a change of it or of an index would halve that at least, \`warnings\` say which,
and what it would cost then. After it was run they go by the rows that were met; in plan mode by what values cost on average:

\`\`\`text
shop.orders: with \`AND amount IS NOT NULL\` index byRegion would serve: about 8.5 read units for 586, without the rows where amount is NULL
shop.orders: an index on (status, placed) would serve: about 2 read units for 586
shop.orders: bind customer, and the table would be read by its key: about 6.5 read units on average for 586
\`\`\`

A predicate that is advised may leave rows out: those that the index lacks; the advice says which. Nothing is said where it is not known whether a
change would halve the cost.

- Bind the whole key, by \`=\`, IN or OR of these: single items are read.
- Bind the partition key, and narrow the sort key with one range, BETWEEN or \`LIKE 'prefix%'\`: part of a partition is read.
- ORDER BY the sort key within a partition, with a LIMIT: only those rows are read, from either end.
- An index serves a query only where the conditions leave out items that are not in it: compare its sort key, too, if only by
  \`AND attribute > 0\` or \`AND attribute > ''\`. It must hold every column that is named: name columns instead of \`*\`.
- The key's own type: a text key is not found by a number, \`id = 1\` reads the table where \`id = '1'\` reads an item.
- Whatever says which values a key has finds it (the tables below); \`UPPER(id) = 'A'\` does not, and reads the whole table.
- LIMIT and \`options.maxRows\` end a plain scan early; sorting, grouping and filtering have to read on.
- \`options.consistentRead\` doubles the cost, and rules out global indexes.

A global index that is added to a table lacks the items of then whose values are no keys for it: of another type, empty, or of
more than 2048 bytes (1024 in a sort key). From then on DynamoDB refuses to write such values. SQL compares by value, so these
items may match: the text '07' equals 7. What is known of the items decides which conditions an index serves:

| known                                                                              | the index serves                                                                                                                                                                          |
| ---------------------------------------------------------------------------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| it lacks none: every item was read once (of a table of up to 256 items), or it is local | every condition that leaves NULL out, \`IS NOT NULL\` too                                                                                                                                  |
| no sample met one that it lacks                                                    | \`=\` and IN with constants of the key's type that can be keys, ranges of numbers, \`LIKE 'prefix%'\`, ranges of text or bytes with a lower bound. The plan shows under \`assuming\` what is taken to hold |
| samples met items that it lacks, or values of several types                         | \`=\` and IN with text that no number, truth value or bytes can equal                                                                                                                      |

Else the table is read, which costs half a unit for each 4 KB of it; a warning in plan and response says so where that is much.
What is assumed is looked for in each sample, an hour apart at most while the table is queried, and nothing that an index
answers can prove it. To be certain whatever was written before the index was made, set \`options.consistentRead\`: then no
global index is read.

A key of a global index may have up to four attributes. Such an index serves a query that binds every attribute of its
partition key, by \`=\` or IN; of its sort key, attributes narrow what is read from left to right: \`=\` or IN on each, a range
on the last that is bound, and nothing behind a gap. Its rows come in the order of all of them. It holds only items that have
every one of its key attributes, so compare those, too, that are not bound: \`AND attribute > 0\`. The bytes of a key's
attributes are taken together.

${sqlBlock(
  `SELECT name FROM shop.customers WHERE id = 'c1'`,
  `SELECT number, total FROM shop.orders WHERE customer = 'c1' AND number BETWEEN 10 AND 20`,
  `SELECT number, total FROM shop.orders WHERE customer = 'c1' ORDER BY number DESC LIMIT 3`,
  `SELECT number FROM shop.orders WHERE (customer, number) IN (('c1', 1), ('c2', 2))`,
)}`;
