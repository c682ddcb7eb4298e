/** What auth says of a tenant and its people, for those who turn it into HTTP. */
export type {
  Invitation,
  NamedBudget,
  Person,
  TenantClient,
  TenantClientCredentials,
} from '@penstock/common/gen/penstock/auth/v1/tenant_admin_pb.js';
export type { SavedQuery, SavedQueryText } from '@penstock/common/gen/penstock/auth/v1/saved_query_pb.js';
