/** psql itself, by what a person types. */
import { psql } from '../../e2e/postgres/connect.ts';
import type { Tried } from './programs.ts';
import type { Target } from './target.ts';

const BACKSLASH: readonly string[] = [
  ...[
    '\\d',
    '\\d+',
    '\\dt',
    '\\dt+',
    '\\dt shop.*',
    '\\d shop.events',
    '\\d+ shop.events',
    '\\di',
    '\\di+ shop.*',
  ],
  ...[
    '\\dn',
    '\\dn+',
    '\\du',
    '\\dg',
    '\\dv',
    '\\dm',
    '\\ds',
    '\\df',
    '\\df pg_catalog.lower',
    '\\da',
    '\\dT',
    '\\dT+',
  ],
  ...[
    '\\do',
    '\\dC',
    '\\dc',
    '\\dO',
    '\\dD',
    '\\dx',
    '\\dy',
    '\\dp',
    '\\z',
    '\\ddp',
    '\\dd',
    '\\db',
    '\\l',
    '\\l+',
    '\\dl',
  ],
  ...[
    '\\dE',
    '\\det',
    '\\des',
    '\\dew',
    '\\deu',
    '\\dF',
    '\\dFd',
    '\\dFp',
    '\\dFt',
    '\\dA',
    '\\dAc',
    '\\dAf',
    '\\dAo',
  ],
  ...[
    '\\dAp',
    '\\dRp',
    '\\dRs',
    '\\dX',
    '\\dP',
    '\\drds',
    '\\dconfig',
    '\\sf pg_catalog.lower(text)',
    '\\conninfo',
    '\\encoding',
  ],
];

/** What a psql before 17 asks of columns that catalogs have by other names since, in any PostgreSQL. */
const OLDER_PSQL = /column \w+\.(?:colliculocale|daticulocale) does not exist/;

/** What is typed, and what must be printed. */
const TYPED: readonly (readonly [name: string, script: string, expected: string])[] = [
  ['\\dt by search_path', "SET search_path TO shop;\n\\dt", 'things'],
  ['\\d of a table shows key and index', '\\d shop.events', 'by-level'],
  ['\\gdesc', 'SELECT id, amount, paid FROM shop.things \\gdesc', 'amount | numeric'],
  ['\\watch', "SELECT 'tick' || 's' \\watch 0.2", 'ticks'],
  ['\\bind and \\g', 'SELECT COUNT(*) AS n FROM shop.events \\g', '2500'],
  ['\\copy', "\\copy (SELECT id, amount FROM shop.things WHERE id = 'n2') TO STDOUT CSV", 'n2,10.5'],
  ['FETCH_COUNT', "\\set FETCH_COUNT 100\nSELECT tick FROM shop.events WHERE device = 'd0' ORDER BY tick DESC;", '2495'],
  ['\\gexec', "SELECT 'SELECT COUNT(*) FROM shop.things' \\gexec", '12'],
  ['\\gset', "SELECT 'x' AS found \\gset\n\\echo :found", 'x'],
  ['\\x', "\\x\nSELECT id, amount FROM shop.things WHERE id = 'n2';", 'amount | 10.5'],
  ['\\timing', '\\timing\nSELECT 1;', 'Time:'],
  ['going on after an error', "SELECT nope FROM shop.things;\nSELECT 'still' || 'there';", 'stillthere'],
  ['ON_ERROR_ROLLBACK', "\\set ON_ERROR_ROLLBACK on\nBEGIN;\nSELECT nope FROM shop.things;\nSELECT 'still' || 'there';\nCOMMIT;", 'stillthere'],
]; // oxfmt-ignore

export async function tryPsql({ host, port, user, password }: Target): Promise<readonly Tried[]> {
  const url = `postgresql://${user}:${password}@${host}:${port}/penstock`;
  const { stderr, code } = await psql(url, BACKSLASH.join('\n'));
  const complaints = stderr
    .split('\n')
    .filter((line) => /ERROR|FATAL|invalid command/.test(line) && !OLDER_PSQL.test(line));
  const tried: Tried[] = [
    {
      name: `${BACKSLASH.length} commands that describe`,
      failure: complaints.length === 0 && code === 0 ? null : complaints.slice(0, 5).join('; '),
    },
  ];
  for (const [name, script, expected] of TYPED) {
    // What repeats goes on until it is stopped.
    const stop =
      name === '\\watch'
        ? (kill: (signal: NodeJS.Signals) => void) => void setTimeout(() => kill('SIGINT'), 2_000)
        : undefined;
    const { stdout } = await psql(url, `${script}\n`, [], stop);
    tried.push({
      name,
      failure: stdout.includes(expected) ? null : `no ${expected} in ${stdout.slice(0, 300)}`,
    });
  }
  return tried;
}
