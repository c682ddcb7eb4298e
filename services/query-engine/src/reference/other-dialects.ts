/** What the reference says of statements that are written for other systems. */
import { DIALECTS } from '../parser/dialects/dialect.ts';
import { TRANSLATED_CHARS_MAX, TRANSLATION_MS_MAX } from '../parser/dialects/worker/limits.ts';
import { alternatives } from '../parser/errors.ts';
import { code, table } from './markdown.ts';

/** Statements of other systems and what is offered for them. Each is run by a test. */
export const OTHER_DIALECT_EXAMPLES: readonly (readonly [dialect: string, theirs: string, ours: string])[] = [
  [
    'MySQL',
    'SELECT `name` FROM shop.customers LIMIT 5, 10',
    'SELECT "name" FROM shop.customers LIMIT 10 OFFSET 5',
  ],
  [
    'SQL Server',
    'SELECT TOP 3 number, CONVERT(VARCHAR(10), placed, 23) FROM shop.orders',
    "SELECT number, STRFTIME(placed, '%Y-%m-%d') FROM shop.orders LIMIT 3",
  ],
  [
    'BigQuery',
    'SELECT * EXCEPT (tags) FROM `shop.customers`',
    'SELECT * EXCLUDE (tags) FROM "shop"."customers"',
  ],
  [
    'Snowflake',
    "SELECT IFF(total > 50, 'large', 'small') FROM shop.orders ORDER BY total",
    "SELECT IF(total > 50, 'large', 'small') FROM shop.orders ORDER BY total NULLS LAST",
  ],
];

const names = alternatives(DIALECTS.map(({ name }) => name));

const examples = (): string =>
  table(
    ['System', 'Written for it', 'Offered'],
    OTHER_DIALECT_EXAMPLES.map(([name, theirs, ours]) => [name, code(theirs), code(ours)]),
  );

/** The whole section. */
export const OTHER_DIALECTS = `## SQL of other systems

A statement that cannot be read, or calls a function that is not here, may be one of
${names}. Where it says the same in our
dialect for certain, the error offers it, whole and ready to run: the last lines of \`detailedError\` (of the tool's text over
MCP) are \`this is MySQL; here: SELECT …\`, and one more line for each system in which it means something else. It is never
run by itself.

${examples()}

What the systems do in ways of their own is written out: functions, formats of dates, types, where NULL sorts, quotients of
whole numbers. Where that can't be known there is no offer: \`a / 2\` of SQL Server may be a whole number, \`a + b\` a text,
weeks start on other days, operators without parentheses bind otherwise. Two things stay ours: texts are compared byte by byte,
whatever the collation, and AVG of whole numbers is not cut. Statements of more than ${TRANSLATED_CHARS_MAX.toLocaleString('en-US')} characters get no
offer, nor do those that take longer than ${TRANSLATION_MS_MAX} milliseconds to read, nor any while many others are being read.`;
