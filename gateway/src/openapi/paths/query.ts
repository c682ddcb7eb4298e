import { errorResponses, jsonRequest, jsonResponse, type Paths } from '../operation.ts';

const example = {
  sql: 'SELECT c.name, SUM(o.total) AS spent FROM shop.orders o JOIN shop.customers c ON c.id = o.customer_id GROUP BY c.name',
  options: { maxRows: 100 },
};

const answer = {
  success: true,
  data: {
    data: [['Ada', 30.5]],
    columns: ['name', 'spent'],
    columnTypes: ['VARCHAR', 'DECIMAL(38,2)'],
    firstRowIdx: 0,
    planTime: 3,
    execTime: 21,
    readUnits: 1.5,
  },
};

export const queryPaths: Paths = {
  '/v1/query': {
    post: {
      summary: 'Run or plan a SELECT statement',
      description:
        'Scope `query`. Statements that can be read but not run (an unknown table, a type error) are answered 200 with ' +
        '`success: false`; statements that cannot be read, and malformed bodies, 400. Page by sending `resumeIdx` back ' +
        'for as long as it is present. Do not retry 400, 401 and 403; retry 429, 500 and 503 with backoff.',
      operationId: 'query',
      tags: ['Query'],
      requestBody: jsonRequest('QueryRequest', example),
      responses: {
        200: jsonResponse(
          'The rows or the plan, or why the statement could not be run.',
          'QueryResponse',
          answer,
        ),
        ...errorResponses([400, 401, 403, 413, 429], 'QueryError'),
      },
    },
  },
};
