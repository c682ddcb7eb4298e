import type { ConnectRouter } from '@connectrpc/connect';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { AccountService, ConsoleSessionService } from '@penstock/common/gen/penstock/auth/v1/console_pb.js';
import { LoginService } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { OAuthService } from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { ScramService } from '@penstock/common/gen/penstock/auth/v1/scram_pb.js';
import { SavedQueryService } from '@penstock/common/gen/penstock/auth/v1/saved_query_pb.js';
import { TenantAdminService } from '@penstock/common/gen/penstock/auth/v1/tenant_admin_pb.js';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import type { HostedLogin } from '../login/hosted-login.ts';
import type { AccountAdministration } from '../console/account.ts';
import type { ConsoleSessions } from '../console/sessions.ts';
import type { TenantAdministration } from '../console/tenant-administration.ts';
import { accountService } from './account-service.ts';
import { adminService } from './admin-service.ts';
import { consoleSessionService } from './console-session-service.ts';
import { loginService } from './login-service.ts';
import { oauthService } from './oauth-service.ts';
import { scramService } from './scram-service.ts';
import { savedQueryService } from './saved-query-service.ts';
import { tenantAdminService } from './tenant-admin-service.ts';
import { tokenService } from './token-service.ts';

/** Services that need no token, and those that need the operator's: type names. */
export const publicServices: readonly string[] = Object.freeze([
  TokenService.typeName,
  ScramService.typeName,
  OAuthService.typeName,
  LoginService.typeName,
  ConsoleSessionService.typeName,
]);
export const operatorServices: readonly string[] = Object.freeze([AdminService.typeName]);

/** Registers everything that auth serves. */
export function authRoutes(options: {
  token: Parameters<typeof tokenService>[0];
  scram: Parameters<typeof scramService>[0];
  admin: Parameters<typeof adminService>[0];
  oauth: Parameters<typeof oauthService>[0];
  login: HostedLogin;
  consoleSessions: ConsoleSessions;
  account: AccountAdministration;
  tenant: TenantAdministration;
  savedQueries: Parameters<typeof savedQueryService>;
}): (router: ConnectRouter) => void {
  const [token, admin] = [tokenService(options.token), adminService(options.admin)];
  const scram = scramService(options.scram);
  const [oauth, login] = [oauthService(options.oauth), loginService(options.login)];
  const sessions = consoleSessionService(options.consoleSessions);
  const [account, tenant] = [accountService(options.account), tenantAdminService(options.tenant)];
  const savedQueries = savedQueryService(...options.savedQueries);
  return (router) => {
    router.service(TokenService, token);
    router.service(ScramService, scram);
    router.service(AdminService, admin);
    router.service(OAuthService, oauth);
    router.service(LoginService, login);
    router.service(ConsoleSessionService, sessions);
    router.service(AccountService, account);
    router.service(TenantAdminService, tenant);
    router.service(SavedQueryService, savedQueries);
  };
}
