import { errorResponses, jsonRequest, jsonResponse, type Paths } from '../operation.ts';

const tags = ['Authentication'];
const noStore = 'Not to be stored by caches.';

export const authPaths: Paths = {
  '/v1/auth/token': {
    post: {
      summary: 'Exchange client credentials for tokens',
      description: noStore,
      operationId: 'issueToken',
      tags,
      security: [],
      requestBody: jsonRequest('TokenRequest', { clientId: 'cl_0190…', clientSecret: 'pss_…' }),
      responses: {
        200: jsonResponse('A token pair; the access token lives one hour.', 'TokenResponse'),
        ...errorResponses([400, 401, 413, 429]),
      },
    },
  },
  '/v1/auth/refresh': {
    post: {
      summary: 'Exchange a refresh token for a new access token',
      description: noStore,
      operationId: 'refreshToken',
      tags,
      security: [],
      requestBody: jsonRequest('RefreshRequest', { refreshToken: 'pst_…' }),
      responses: {
        200: jsonResponse('An access token; the refresh token can be used again.', 'RefreshResponse'),
        ...errorResponses([400, 401, 413]),
      },
    },
  },
};
