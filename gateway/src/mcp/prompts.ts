import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const asUser = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});

/** Ways to begin, for people who choose one in their client. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'explore_schema',
    {
      title: 'Explore a schema',
      description: 'Find out which tables there are, what they hold and how they belong together.',
      argsSchema: z.object({ schemaName: z.string().describe('The schema to explore.') }),
    },
    ({ schemaName }) =>
      asUser(
        `Explore the schema ${JSON.stringify(schemaName)}. List its tables with list_tables, describe each with ` +
          'describe_table (the largest twenty at most), and read three items of a table with run_sql and LIMIT 3 where ' +
          'its columns do not explain themselves. Then tell me, in a short overview: what each table holds, its keys and ' +
          'indexes, which columns of different tables seem to refer to each other, and which questions are cheap to ' +
          'answer and which would read a whole table.',
      ),
  );
  server.registerPrompt(
    'write_query',
    {
      title: 'Write a query for a question',
      description: 'Turn a question into a statement that reads as little as possible, and answer it.',
      argsSchema: z.object({ question: z.string().describe('The question, in your own words.') }),
    },
    ({ question }) =>
      asUser(
        `Answer this question from the tables: ${question}\n\nFind the tables with list_tables and describe_table. Write ` +
          'one SELECT that uses the partition key of a table or of an index wherever the question allows it. Look at it ' +
          'with run_sql and mode "plan" before you run it; if it reads a whole table that is large, tell me what it would ' +
          'cost and ask first. Then run it, and show me the statement, the answer and the read units.',
      ),
  );
  server.registerPrompt(
    'explain_query',
    {
      title: 'Explain and cheapen a query',
      description: 'See what a statement reads and why it costs what it does, and find a cheaper one.',
      argsSchema: z.object({ sql: z.string().describe('The statement.') }),
    },
    ({ sql }) =>
      asUser(
        `Explain this statement and make it cheaper:\n\n${sql}\n\nGet its plan with run_sql and mode "plan", and look at ` +
          'the keys and indexes of its tables with describe_table. Tell me which step reads what, and whether by key, by ' +
          'index or as a scan. Then propose statements with the same answer that read less, compare their plans and ' +
          'weights, and say which index would help where no statement does. Do not run any of them without asking.',
      ),
  );
}
