import { readFileSync } from 'node:fs';
import type { CacheHint, McpServer } from '@modelcontextprotocol/server';

export const SQL_REFERENCE_URI = 'penstock://sql-reference';

const MARKDOWN = 'text/markdown';

/** The engine's own page. The gateway's image ships it without the rest of the engine (deploy/docker/Dockerfile). */
const SQL_REFERENCE = readFileSync(new URL('../../../services/query-engine/SQL.md', import.meta.url), 'utf8');

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
