import { expect } from 'chai';
import { REFRESH_TOKEN_LIFETIME_S } from '../../../auth/src/limits.ts';
import {
  CATALOG_STALE_MS_MAX,
  CONCURRENT_QUERIES,
  PAUSED_RESULTS_MAX,
  WAITING_QUERIES,
} from '../../../query-engine/src/limits.ts';
import {
  TENANT_PAUSE_MS,
  TRANSLATED_CHARS_MAX,
  TRANSLATION_MS_MAX,
} from '../../../query-engine/src/parser/dialects/worker/limits.ts';
import { PARSER_LIMITS } from '../../../query-engine/src/parser/limits.ts';
import { RESPONSE_BYTES_MAX } from '../../../query-engine/src/execution/limits.ts';
import {
  ALLOWLIST_MAX,
  REFRESH_SKIP_MS,
  SCHEMA_PAGE_MAX,
  TENANT_SCHEMAS_MAX,
} from '../../../schema-registry/src/limits.ts';
import * as rest from '../../../../gateway/src/limits.ts';
import { settings } from '../../src/config/settings.ts';
import { LOOKUPS_PER_S, WRONG_SECRETS } from '../../src/throttling/limits.ts';
import { TOKEN_KINDS } from '../../src/token/claims.ts';
import { page, settingsRead, sources } from './support/pages.ts';

/** Cells without the padding that the formatter gives them. */
const unpadded = (path: string): string => page(path).replaceAll(/ +\|/g, ' |');
const settingsPage = unpadded('deploy/settings.md');

/** The second cell of the row whose first cell is this. */
function rowOf(text: string, first: string): string {
  const line = text.split('\n').find((l) => l.startsWith(`| ${first} |`));
  if (line === undefined) throw new Error(`there is no row ${first}`);
  return line.split('|')[2]!.trim();
}

describe('the README', () => {
  it('is read in a few minutes', () => {
    expect(page('README.md').length).to.be.lessThan(11_000);
  });
});

describe('the page of settings', () => {
  it('lists every setting that the code reads, and none that it does not', () => {
    const tables = settingsPage.split('\n').filter((line) => line.startsWith('| `PENSTOCK_'));
    const listed = new Set(tables.flatMap((line) => line.split('|')[1]!.match(/PENSTOCK_[A-Z_]+/g) ?? []));
    expect([...listed].sort()).to.deep.equal([...settingsRead()].sort());
  });

  it('lists the variables of OpenTelemetry that the code looks at', () => {
    const read = new Set(
      sources('services/common').flatMap((text) => text.match(/^ {2}OTEL_[A-Z_]+(?=:)/gm) ?? []),
    );
    const listed = settingsPage.match(/(?<=^\| .*)`OTEL_[A-Z_]+`/gm) ?? [];
    expect(listed.map((name) => name.replaceAll('`', '')).sort()).to.deep.equal(
      [...read].map((name) => name.trim()).sort(),
    );
  });

  it('tells the defaults that the code has', () => {
    const defaults = [
      'PENSTOCK_LOG_LEVEL', 'PENSTOCK_HOST', 'PENSTOCK_DRAIN_TIMEOUT_MS', 'PENSTOCK_CONTROL_REGION',
      'PENSTOCK_TABLE_PREFIX', 'PENSTOCK_CREATE_TABLES', 'PENSTOCK_PORT', 'PENSTOCK_RATE_LIMIT_RPS', 'PENSTOCK_RATE_LIMIT_BURST',
    ] as const; // oxfmt-ignore
    for (const name of defaults) {
      const value = String(settings[name].parse(undefined));
      expect(rowOf(settingsPage, `\`${name}\``).replaceAll('`', ''), name).to.equal(value);
    }
  });
});

describe('the page of limits', () => {
  const limits = unpadded('services/limits.md');
  const row = (first: string): string => rowOf(limits, first);

  it('tells the limits that the code has', () => {
    const kib = (bytes: number): string => `${bytes / 1024} KiB`;
    expect(row('request body')).to.include(kib(rest.BODY_BYTES_MAX));
    expect(row('`sql`')).to.equal(
      `${kib(PARSER_LIMITS.sqlBytesMax)}, ${PARSER_LIMITS.tokensMax} tokens, ${PARSER_LIMITS.nestingMax} levels of nesting, ${PARSER_LIMITS.joinedTablesMax} joined tables`,
    );
    expect(row('`options.maxRows`'))
      .to.include(`1 to ${rest.ROWS_MAX}, default ${rest.DEFAULT_MAX_ROWS}`)
      .and.include(`${RESPONSE_BYTES_MAX / 1024 / 1024} MiB`);
    expect(row('`options.timeoutMs`')).to.equal(
      `${rest.TIMEOUT_MS_MIN} to ${rest.TIMEOUT_MS_MAX}, default ${rest.DEFAULT_TIMEOUT_MS}`,
    );
    expect(row('results that nobody reads')).to.include(`${PAUSED_RESULTS_MAX} an engine`);
    const { tries, windowS } = WRONG_SECRETS;
    expect(row('wrong client secrets from one address'))
      .to.include(`${tries} in ${windowS / 60} minutes`)
      .and.include(`${LOOKUPS_PER_S} look-ups a second`);
    expect(row('wrong tokens and links from one address')).to.include(
      `${rest.WRONG_TOKENS_MAX} in ${rest.WRONG_TRIES_WINDOW_S / 60} minutes`,
    );
    expect(row('access token')).to.equal(
      `${TOKEN_KINDS.rest.lifetimeS} s; refresh token ${REFRESH_TOKEN_LIFETIME_S / 86_400} days`,
    );
    expect(row('schemas of a tenant')).to.include(`${TENANT_SCHEMAS_MAX}, `);
    expect(row('schemas on a page')).to.equal(String(SCHEMA_PAGE_MAX));
    expect(row('names in an allowlist')).to.equal(String(ALLOWLIST_MAX));
    expect(row('usage range')).to.include(`${rest.USAGE_RANGE_DAYS_MAX} days`);
    expect(row('a refresh of the same schema')).to.include(`${REFRESH_SKIP_MS / 1000} s`);
    expect(row('a changed schema takes effect')).to.include(`${CATALOG_STALE_MS_MAX / 1000} s`);
    expect(row('a statement of another system that is read')).to.equal(
      `${TRANSLATED_CHARS_MAX} characters, ${TRANSLATION_MS_MAX} ms, one at a time and one of a tenant; after one that took longer, none of that tenant for ${TENANT_PAUSE_MS / 1000} s`,
    );
    expect(row('queries at the same time, one engine')).to.equal(
      `${CONCURRENT_QUERIES}, and ${WAITING_QUERIES} waiting`,
    );
  });
});
