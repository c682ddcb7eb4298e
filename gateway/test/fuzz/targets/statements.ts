/** Statements with something nasty in a name, a literal, a comment, a parameter or anywhere. */
import type { Random } from '../../chaos/random.ts';
import { nastyText, nastyValue, spoiled, toJson } from '../support/nasty.ts';
import type { Target } from './target.ts';

/** `@` stands for what is nasty. */
const TEMPLATES = [
  'SELECT "@" FROM shop.customers',
  'SELECT @ FROM shop.customers',
  'SELECT name AS "@" FROM shop.customers',
  'SELECT name FROM shop."@"',
  'SELECT name FROM "@".customers',
  'SELECT name FROM shop.customers "@"',
  "SELECT '@' FROM shop.customers",
  "SELECT E'@', $$@$$, N'@', X'@' FROM shop.customers",
  'SELECT name /* @ */ FROM shop.customers -- @',
  "SELECT name FROM shop.customers WHERE id = '@'",
  "SELECT name FROM shop.customers WHERE id IN ('@', '@') OR city LIKE '@%'",
  'SELECT address."@", address[\'@\'] FROM shop.customers',
  "SELECT @('a') FROM shop.customers",
  "SELECT UPPER('@'), LENGTH('@'), REPLACE(name, '@', '@'), SUBSTRING('@', 1, 3) FROM shop.customers",
  "SELECT CAST('@' AS INTEGER), CAST('@' AS TIMESTAMP), CAST('@' AS JSON) FROM shop.customers",
  'SELECT COUNT(*) AS "@" FROM shop.customers GROUP BY city HAVING COUNT(*) > 0 ORDER BY 1',
  'WITH "@" AS (SELECT name FROM shop.customers) SELECT * FROM "@"',
  'SELECT name FROM shop.customers LIMIT @ OFFSET @',
  'SELECT ?, name FROM shop.customers WHERE id = ?',
  'SELECT :a, name FROM shop.customers WHERE city = :a',
];

/** One of the templates, filled and perhaps spoiled. */
export function spoiledStatement(random: Random): string {
  const filled = random.pick(TEMPLATES).replaceAll('@', () => nastyText(random));
  return random.below(4) === 0 ? spoiled(random, filled) : filled;
}

export function statementTarget(token: string, name = 'statements'): Target {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    name,
    next: (random) => {
      const sql = spoiledStatement(random);
      const positional = [nastyValue(random), nastyText(random)];
      const parameters = sql.includes('?')
        ? positional
        : sql.includes(':a')
          ? { a: nastyText(random) }
          : undefined;
      const mode = random.pick(['execute', 'plan']);
      const options = { ...(parameters === undefined ? {} : { parameters }), timeoutMs: 20_000 };
      return { method: 'POST', path: '/v1/query', headers, body: toJson({ sql, mode, options }) };
    },
  };
}
