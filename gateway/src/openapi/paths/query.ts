import { HEADER_JSON_CHARS_MAX } from '../../limits.ts';
import { REQUEST_ID } from '@penstock/common/ids/request-id.ts';
import { errorResponses, jsonRequest, jsonResponse, type Parameter, type Paths } from '../operation.ts';

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

const text = { schema: { type: 'string' } };
const header = (description: string): object => ({ description, schema: { type: 'string' } });

/** The response as JSON, or as the formats of whole results. */
const withWholeResults = (json: object): object => {
  const { headers, content } = json as { headers: object; content: object };
  return {
    ...json,
    headers: {
      ...headers,
      'x-penstock-columns': header(
        'Of a whole result: names and types of its columns, by the first rows, as a JSON array of pairs in ASCII. Absent where ' +
          `that is longer than ${HEADER_JSON_CHARS_MAX} characters.`,
      ),
      trailer: header(
        'Of a whole result, behind it: `x-penstock-rows`, `x-penstock-read-units`, `x-penstock-exec-time` (ms), ' +
          '`x-penstock-warnings` (a JSON array) and `content-digest` (RFC 9530).',
      ),
    },
    content: {
      ...content,
      'application/x-ndjson': {
        ...text,
        example: '["Ada",30.5]\n{"rows":1,"readUnits":1.5,"planTime":3,"execTime":21}\n',
      },
      'text/csv': { ...text, example: 'name,spent\r\nAda,30.5\r\n' },
      'application/vnd.apache.parquet': {},
    },
  };
};

const requestId: Parameter = {
  name: 'requestId',
  in: 'path',
  required: true,
  description: 'The `x-request-id` of the request that the query came by.',
  schema: { type: 'string', pattern: REQUEST_ID.source },
};

const progress = {
  success: true,
  data: { requestId: 'nightly-report-7', state: 'running', rows: 0, readUnits: 812.5, elapsedMs: 2140 },
};

export const queryPaths: Paths = {
  '/v1/query': {
    post: {
      summary: 'Run or plan a SELECT statement',
      description:
        'Scope `query`. Statements that can be read but not run (an unknown table, a type error) are answered 200 with ' +
        '`success: false`; statements that cannot be read, and malformed bodies, 400. Page by sending `resumeIdx` back ' +
        'for as long as it is present, with the same statement, parameters and options: for five minutes the next page of ' +
        'a statement that only filters and chooses columns is read from where the last one ended; every other page, and ' +
        'later, is found by reading what comes before it. Do not retry 400, 401 and 403; retry 429, 500 and 503 with backoff.\n\n' +
        'With `Accept: application/x-ndjson`, `text/csv` or `application/vnd.apache.parquet` the whole result comes as a ' +
        'stream, read once, without ' +
        '`maxRows` unless it is given; `timeoutMs` may be an hour, and is where it is not given. What fails before the first ' +
        'row is answered as JSON, with 200: `curl --fail -o file` would take it for the file; `options.failWithStatus: true` ' +
        'has whatever fails answered 422. What fails later cuts the connection: a response that is complete is all of it. ' +
        'NDJSON accepted as `application/x-ndjson; header=present` begins with a line of `columns` and `columnTypes`, and ' +
        'its last line has `reads`: what each read of the plan came to. NDJSON takes `options.rowsWanted`, too: once so many ' +
        'rows have been sent, reading stops until `PATCH /v1/queries/{requestId}` wants more. In Parquet, whole numbers beyond 64 bits are ' +
        'DECIMAL(38,0), decimals DECIMAL(38,s), documents and values of several kinds text; the types of a table read as it is ' +
        'are those of its first rows and its sample, and a later value that one does not hold ends the response, as every ' +
        'failure does: such a file has no footer, and cannot be read. Why a whole result broke off, ' +
        '`GET /v1/queries/{requestId}` says for a quarter of an hour, with the cast that such a column needs. ' +
        '`SELECT *` has columns for all that its reads meet, those that no sample had among them; CSV and Parquet name their ' +
        'columns after 8 MiB were read, or all, and `options.lateAttributes` says what becomes of attributes that come later. ' +
        'A row of NDJSON that has such attributes is longer than those before it: with `header=present` another line of ' +
        '`columns` comes before, else the last line has the `columns`. ' +
        'There is no Arrow stream: what reads one reads Parquet. In plan mode, accepting one of these types plans ' +
        'the whole result in place of a page.',
      operationId: 'query',
      tags: ['Query'],
      requestBody: jsonRequest('QueryRequest', example),
      responses: {
        200: withWholeResults(
          jsonResponse(
            'The rows or the plan, or why the statement could not be run.',
            'QueryResponse',
            answer,
          ),
        ),
        ...errorResponses([400, 401, 403, 406, 413, 422, 429], 'QueryError'),
      },
    },
  },
  '/v1/queries/{requestId}': {
    get: {
      summary: 'How far a query is that runs, or why its whole result broke off',
      description:
        'Scope `query`. Any query of the tenant that is executed now, by the `x-request-id` of its request: send one of ' +
        'your own with a query to look at it from elsewhere. Where several requests have the ID, what they come to ' +
        'together. For a quarter of an hour, `state` is `failed` of a whole result that broke off, and it is said why; and ' +
        '`ended` of one that was to leave late attributes out, with its warnings. 404 once the query has ended otherwise.',
      operationId: 'getRunningQuery',
      tags: ['Query'],
      parameters: [requestId],
      responses: {
        200: jsonResponse('What it has read and returned so far.', 'RunningQueryResponse', progress),
        ...errorResponses([400, 401, 403, 404, 429]),
      },
    },
    patch: {
      summary: 'Have a whole result read on',
      description:
        'Scope `query`. A whole result that was asked for with `options.rowsWanted` goes on until so many rows have been ' +
        'sent, counted from its first. It comes in the response that it was asked for by.',
      operationId: 'wantRows',
      tags: ['Query'],
      parameters: [requestId],
      requestBody: jsonRequest('WantRowsRequest', { rowsWanted: 5000 }),
      responses: {
        200: jsonResponse('How far it was.', 'WantedRowsResponse', progress),
        ...errorResponses([400, 401, 403, 404, 429]),
      },
    },
    delete: {
      summary: 'Stop a query that runs',
      description:
        'Scope `query`. No read begins after a second. Whoever sent the query is answered `success: false`, "The query ' +
        'was stopped"; what it read is metered.',
      operationId: 'stopRunningQuery',
      tags: ['Query'],
      parameters: [requestId],
      responses: {
        200: jsonResponse('How far it was.', 'StoppedQueryResponse', {
          ...progress,
          data: { ...progress.data, stopped: true },
        }),
        ...errorResponses([400, 401, 403, 404, 429]),
      },
    },
  },
};
