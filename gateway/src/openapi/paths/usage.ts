import { errorResponses, jsonResponse, type Paths } from '../operation.ts';
import { DEFAULT_USAGE_RANGE_DAYS, USAGE_RANGE_DAYS_MAX } from '../../limits.ts';

const date = { type: 'string', format: 'date' };

export const usagePaths: Paths = {
  '/v1/usage/summary': {
    get: {
      summary: 'Usage by day',
      description: `Scope \`usage:read\`. Days are UTC, both ends included, at most ${USAGE_RANGE_DAYS_MAX} days apart.`,
      operationId: 'getUsageSummary',
      tags: ['Usage'],
      parameters: [
        {
          name: 'startDate',
          in: 'query',
          description: `Absent: ${DEFAULT_USAGE_RANGE_DAYS} days before endDate.`,
          schema: date,
        },
        { name: 'endDate', in: 'query', description: 'Absent: today.', schema: date },
      ],
      responses: {
        200: jsonResponse('Totals and every day of the range.', 'UsageSummaryResponse'),
        ...errorResponses([400, 401, 403, 429]),
      },
    },
  },
};
