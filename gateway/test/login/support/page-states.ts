/** Every state that the hosted pages can be in, with what is hard to lay out. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientIdentity,
  ConsentPageSchema,
  EnrollmentSchema,
  RequestingClientSchema,
  SecondFactorPageSchema,
  TotpEnrollmentSchema,
  type RequestingClient,
} from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import type { Page } from '../../../src/login/document.ts';
import { consentPage } from '../../../src/login/pages/consent.ts';
import { donePage } from '../../../src/login/pages/done.ts';
import { enrollPage } from '../../../src/login/pages/enroll.ts';
import { errorPage } from '../../../src/login/pages/error.ts';
import { secondFactorPage } from '../../../src/login/pages/second-factor.ts';
import { signInPage } from '../../../src/login/pages/sign-in.ts';
import { passwordsDiffer, type ShownProblem } from '../../../src/login/shown-problem.ts';

const target = {
  action: '/login?interaction=x',
  passkeyOptions: '/login/passkey-options?interaction=x',
  fields: { csrf: 'token' },
};

const newClient = (change: MessageInitShape<typeof RequestingClientSchema> = {}): RequestingClient =>
  create(RequestingClientSchema, {
    name: 'Claude Code',
    redirectHost: '127.0.0.1:53682',
    redirectOrigin: 'http://127.0.0.1:53682',
    redirectsToLocalhost: true,
    identity: ClientIdentity.SELF_REGISTERED,
    ...change,
  });

const plain = newClient();
const documented = newClient({
  name: 'Cursor',
  redirectHost: 'agents.example.com',
  redirectOrigin: 'https://agents.example.com',
  redirectsToLocalhost: false,
  identity: ClientIdentity.METADATA_DOCUMENT,
  identityHost: 'agents.example.com',
});
const long = newClient({
  name: 'The Extraordinarily Long-Winded Analytical Assistant for Quarterly Reports of Very Large Organizations Ltd',
  redirectHost:
    'oauth-callback.customer-0123456789abcdef.eu-central-1.agents.internal.example-platform.com:8443',
  redirectOrigin: 'https://x.example',
  redirectsToLocalhost: false,
  identity: ClientIdentity.METADATA_DOCUMENT,
  identityHost: 'oauth-callback.customer-0123456789abcdef.eu-central-1.agents.internal.example-platform.com',
});
const unbroken = newClient({ name: 'x'.repeat(120) });

const email = 'ada.lovelace@analytical-engines.example.com';
const longEmail = `${'a-very-long-mailbox-name.'.repeat(4)}@department.of-a-company.example.com`;
const tenantName = 'Analytical Engines';
const scopes = ['query', 'schemas:read'];
const totp = create(TotpEnrollmentSchema, {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauthUrl: `otpauth://totp/Penstock:${encodeURIComponent(email)}?issuer=Penstock&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30`,
});
const wrongCredentials: ShownProblem = {
  message:
    'The e-mail address, password or one-time code is wrong. A code works once; wait for the next one.',
  fields: 'credentials',
};
const tooMany: ShownProblem = { message: 'Too many wrong tries. Try again in 14 minutes.', fields: null };
const wrongCode: ShownProblem = {
  message: 'That is not the code of this authenticator. Check the time of its device, and try the next code.',
  fields: 'code',
};
const passkeyRefused: ShownProblem = { message: 'The passkey was not accepted. Try again.', fields: null };
const consent = (change: MessageInitShape<typeof ConsentPageSchema> = {}) =>
  create(ConsentPageSchema, { email, tenantName, scopes, ...change });
const secondFactor = create(SecondFactorPageSchema, { email });
const shortPassword: ShownProblem = {
  message: 'Choose a password of at least 12 characters.',
  fields: 'new-password',
};
const enrollment = create(EnrollmentSchema, { email, totpOffered: true, passwordSettable: true });
const invited = create(EnrollmentSchema, { email, passwordSettable: true });
const requestId = 'req_01a1fea1a5007f929716e677ebc0d2e8';

/** By a name that can be a file's. */
export const PAGE_STATES: Readonly<Record<string, Page>> = Object.freeze({
  'sign-in': signInPage(plain, target, { email: '', problem: null }),
  'sign-in-wrong': signInPage(plain, target, { email, problem: wrongCredentials }),
  'sign-in-too-many': signInPage(plain, target, { email, problem: tooMany }),
  'sign-in-passkey-refused': signInPage(plain, target, { email: '', problem: passkeyRefused }),
  'sign-in-long': signInPage(long, target, { email: longEmail, problem: wrongCredentials }),
  'second-factor': secondFactorPage(plain, secondFactor, target, totp, null),
  'second-factor-wrong': secondFactorPage(plain, secondFactor, target, totp, wrongCode),
  'second-factor-passkey-refused': secondFactorPage(plain, secondFactor, target, totp, passkeyRefused),
  enroll: enrollPage(enrollment, target, totp, null),
  'enroll-wrong': enrollPage(enrollment, target, totp, wrongCode),
  'enroll-invited': enrollPage(invited, target, totp, null),
  'enroll-invited-wrong': enrollPage(invited, target, totp, wrongCode),
  'enroll-invited-short': enrollPage(invited, target, totp, shortPassword),
  'enroll-invited-differ': enrollPage(invited, target, totp, passwordsDiffer),
  'enroll-passkey-only': enrollPage(enrollment, target, null, null),
  'enroll-passkey-refused': enrollPage(enrollment, target, null, passkeyRefused),
  done: donePage({ byCode: false }),
  'done-code': donePage({ byCode: true }),
  consent: consentPage(plain, consent(), target),
  'consent-documented': consentPage(documented, consent(), target),
  'consent-long': consentPage(
    long,
    consent({
      email: longEmail,
      tenantName: 'A Company Whose Name Is Longer Than Most Others’ in the Trade Register',
    }),
    target,
  ),
  'consent-unbroken': consentPage(unbroken, consent({ tenantName: 'y'.repeat(100) }), target),
  'consent-one-scope': consentPage(documented, consent({ scopes: ['query'] }), target),
  'consent-many-scopes': consentPage(
    plain,
    consent({ scopes: [...scopes, 'schemas:write', 'usage:read', 'a-scope-of-the-future'] }),
    target,
  ),
  'error-expired': errorPage({
    message: 'This sign-in has expired or was completed. Go back to the application and start again.',
    requestId,
  }),
  'error-client': errorPage({ message: 'client is invalid', code: 'invalid_client', requestId }),
  'error-request': errorPage({
    message: "redirect_uri did not match any of the client's registered redirect_uris",
    code: 'invalid_request',
    requestId,
  }),
  'error-unavailable': errorPage({
    message: 'Sign-in is not available at the moment. Try again shortly.',
    requestId,
  }),
});
