/**
 * Every span's name and attribute. deploy/observability/README.md explains them; a test holds the two together.
 *
 * No attribute may hold text of a statement, a value of a row or a parameter, a secret, a token, an ARN or an account.
 * Names of schemas, tables and indexes may be held: they are what an operator and a tenant can talk about, and the
 * tenant's own CloudTrail has them too.
 */
export const SPANS = Object.freeze({
  admit: 'query.admit',
  parse: 'query.parse',
  resolve: 'query.resolve',
  plan: 'query.plan',
  read: 'query.read',
  compute: 'query.compute',
  work: 'query.work',
  postgresMessage: 'postgres.message',
});

export const ATTRIBUTES = Object.freeze({
  requestId: 'penstock.request_id',
  tenantId: 'penstock.tenant_id',
  schema: 'penstock.schema',
  table: 'penstock.table',
  accessPath: 'penstock.access_path',
  index: 'penstock.index',
  readUnits: 'penstock.read_units',
  rows: 'penstock.rows',
  planCached: 'penstock.plan_cached',
  execution: 'penstock.execution',
  attempt: 'penstock.attempt',
  errorType: 'error.type',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  rpcSystem: 'rpc.system',
  rpcService: 'rpc.service',
  rpcMethod: 'rpc.method',
  rpcStatus: 'rpc.grpc.status_code',
  dbSystem: 'db.system.name',
  dbOperation: 'db.operation.name',
  dynamoTables: 'aws.dynamodb.table_names',
  awsRequestId: 'aws.request_id',
  messagingSystem: 'messaging.system',
  messagingQueue: 'messaging.destination.name',
  messagingId: 'messaging.message.id',
});
