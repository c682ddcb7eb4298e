import type { ConnectRouter } from '@connectrpc/connect';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { SchemaService } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import { catalogService } from './catalog-service.ts';
import { schemaService } from './schema-service.ts';

/** The registry's services, for an RPC server. */
export function registryRoutes(
  registry: Parameters<typeof schemaService>[0] & Parameters<typeof catalogService>[0],
): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SchemaService, schemaService(registry));
    router.service(CatalogService, catalogService(registry));
  };
}
