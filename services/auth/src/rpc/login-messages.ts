/** The hosted pages as messages. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ClientIdentity, SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import type {
  EnrollmentSubject as SubjectMessage,
  InteractionBrowser as BrowserMessage,
  InteractionForm as FormMessage,
  InteractionSchema,
  RequestingClientSchema,
  SignInProblemSchema,
} from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import type { EnrollmentSubject } from '../login/enrollment.ts';
import type { InteractionBrowser, InteractionForm } from '../login/interactions.ts';
import type { InteractionPage, Page, RequestingClient } from '../login/page.ts';
import type { SignInProblem } from '../login/problem.ts';

/** Validation requires it; the types of messages can't tell. */
function given<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new PenstockError('VALIDATION_ERROR', `${field}: value is required`);
  return value;
}

export function toBrowser(message: BrowserMessage | undefined): InteractionBrowser {
  const { interactionId, cookieHeader } = given(message, 'browser');
  return { interactionId, cookieHeader };
}

export function toForm(message: FormMessage | undefined): InteractionForm {
  const { browser, csrfToken } = given(message, 'form');
  return { browser: toBrowser(browser), csrfToken };
}

export function toSubject(message: SubjectMessage | undefined): EnrollmentSubject {
  const { subject } = given(message, 'subject');
  return subject.case === 'enrollmentToken'
    ? { kind: 'link', token: subject.value }
    : { kind: 'interaction', form: toForm(subject.value) };
}

function toClientMessage(client: RequestingClient): MessageInitShape<typeof RequestingClientSchema> {
  const { identityHost, ...rest } = client;
  return identityHost === null
    ? { ...rest, identity: ClientIdentity.SELF_REGISTERED }
    : { ...rest, identity: ClientIdentity.METADATA_DOCUMENT, identityHost };
}

function toPage(page: Page): NonNullable<MessageInitShape<typeof InteractionSchema>['page']> {
  switch (page.kind) {
    case 'sign-in':
      return { case: 'signIn', value: {} };
    case 'second-factor':
      return { case: 'secondFactor', value: { email: page.email } };
    case 'consent': {
      const { email, tenantName, scopes } = page;
      return { case: 'consent', value: { email, tenantName, scopes: [...scopes] } };
    }
  }
}

export function toInteractionMessage(shown: InteractionPage): MessageInitShape<typeof InteractionSchema> {
  const { interactionId, csrfToken } = shown;
  return { interactionId, csrfToken, client: toClientMessage(shown.client), page: toPage(shown.page) };
}

const problemCodes: Readonly<Record<SignInProblem['kind'], SignInProblemCode>> = {
  'wrong-credentials': SignInProblemCode.WRONG_CREDENTIALS,
  'too-many-tries': SignInProblemCode.TOO_MANY_TRIES,
  'wrong-code': SignInProblemCode.WRONG_CODE,
  'passkey-refused': SignInProblemCode.PASSKEY_REFUSED,
  'password-refused': SignInProblemCode.PASSWORD_REFUSED,
};

export function toProblemMessage(problem: SignInProblem): MessageInitShape<typeof SignInProblemSchema> {
  const { kind, message, retryAfterS } = problem;
  return { code: problemCodes[kind], message, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}
