/** What auth says about OAuth and the hosted pages, for those who turn it into HTTP. */
export type {
  AuthorizationStep,
  ExchangeTokenRequestSchema,
  ExchangeTokenResponse,
} from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
export type {
  ConsentPage,
  Enrollment,
  EnrollmentSubjectSchema,
  Interaction,
  InteractionStep,
  RequestingClient,
  SecondFactorPage,
  SignInProblem,
  TotpEnrollment,
} from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
export { ClientIdentity, SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
