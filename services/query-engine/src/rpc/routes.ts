import type { ConnectRouter } from '@connectrpc/connect';
import { DescribeService } from '@penstock/common/gen/penstock/query/v1/describe_pb.js';
import { QueryService } from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import { describeService } from './describe-service.ts';
import { queryService, type QueryServiceParts } from './query-service.ts';

/** The engine's services, for an RPC server. */
export function queryRoutes(parts: QueryServiceParts): (router: ConnectRouter) => void {
  return (router) => {
    router.service(QueryService, queryService(parts));
    router.service(DescribeService, describeService(parts.runner));
  };
}
