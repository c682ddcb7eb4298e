import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ClaimSchema, ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import { loggerOf } from '@penstock/common/rpc/call-context.ts';
import type { ClaimAdministration } from '../claims/administer.ts';
import type { RoleClaim } from '../claims/claim.ts';

function toMessage({
  kind: _kind,
  lentTo,
  refused,
  ...claim
}: RoleClaim): MessageInitShape<typeof ClaimSchema> {
  return { ...claim, lentTo: [...lentTo], refused: [...refused] };
}

/** Every change is logged: what was done with which claim. */
function audit(
  context: HandlerContext,
  action: string,
  subject: { claimId: string; tenantId: string },
): void {
  loggerOf(context).info({ audit: action, ...subject }, `administration: ${action}`);
}

/** The RPCs that need the operator's token: the tenants that they name are the operator's choice. */
export function claimService(claims: ClaimAdministration): ServiceImpl<typeof ClaimService> {
  return {
    async listClaims({ limit, nextToken }) {
      const page = await claims.list({ after: nextToken ?? null, limit });
      return {
        claims: page.claims.map(toMessage),
        ...(page.next === null ? {} : { nextToken: page.next }),
      };
    },
    async moveClaim({ claimId, tenantId }, context) {
      const claim = await claims.move(claimId, tenantId);
      audit(context, 'claim moved', { claimId, tenantId });
      return toMessage(claim);
    },
    async lendClaim({ claimId, tenantId }, context) {
      const claim = await claims.lend(claimId, tenantId);
      audit(context, 'claim lent', { claimId, tenantId });
      return toMessage(claim);
    },
    async endLoan({ claimId, tenantId }, context) {
      const claim = await claims.endLoan(claimId, tenantId);
      audit(context, 'loan of a claim ended', { claimId, tenantId });
      return toMessage(claim);
    },
    async releaseClaim({ claimId }, context) {
      const claim = await claims.release(claimId);
      audit(context, 'claim released', { claimId, tenantId: claim.tenantId });
      return toMessage(claim);
    },
  };
}
