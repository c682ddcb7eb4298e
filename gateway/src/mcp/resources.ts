import { readFileSync } from 'node:fs';
import type { CacheHint, McpServer } from '@modelcontextprotocol/server';

export const SQL_REFERENCE_URI = 'penstock://sql-reference';

const MARKDOWN = 'text/markdown';

/** The engine's SQL reference; a copy, since the gateway ships without the engine. A test holds the two together. */
const SQL_REFERENCE = readFileSync(new URL('./sql-reference.md', import.meta.url), 'utf8');

/** What a model may want to read before it writes a statement. */
export function addResources(server: McpServer, cacheHint: CacheHint): void {
  server.registerResource(
    'sql_reference',
    SQL_REFERENCE_URI,
    {
      title: 'SQL reference',
      description:
        'The SQL that run_sql understands: grammar, functions, types of DynamoDB values, limits, and how to write ' +
        'statements that read little.',
      mimeType: MARKDOWN,
      cacheHint,
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: MARKDOWN, text: SQL_REFERENCE }] }),
  );
}
