import type { ConnectRouter } from '@connectrpc/connect';
import { CatalogService } from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import { ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import { SchemaService } from '@penstock/common/gen/penstock/schema/v1/schema_pb.js';
import type { ClaimAdministration } from '../claims/administer.ts';
import { catalogService } from './catalog-service.ts';
import { claimService } from './claim-service.ts';
import { schemaService } from './schema-service.ts';

/** Services that need the operator's token: type names. */
export const operatorServices: readonly string[] = Object.freeze([ClaimService.typeName]);

/** The registry's services, for an RPC server. */
export function registryRoutes(
  registry: Parameters<typeof schemaService>[0] &
    Parameters<typeof catalogService>[0] & { claims: ClaimAdministration },
): (router: ConnectRouter) => void {
  return (router) => {
    router.service(SchemaService, schemaService(registry));
    router.service(CatalogService, catalogService(registry));
    router.service(ClaimService, claimService(registry.claims));
  };
}
