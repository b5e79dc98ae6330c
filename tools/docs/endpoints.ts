import { allEndpoints } from '@portal/contract/api';
import { accessInWords } from './access.ts';
import { code, page, table } from './markdown.ts';

/** docs/generated/endpoints.md: every call of the API. */
export const endpointsPage = (): string =>
  page(
    'Endpoints',
    '`packages/contract/src`',
    'Errors of sign-in, membership, permission and input are common to all and not repeated. `/api/openapi.json` has the shapes.',
    table(
      ['call', 'who', 'id', 'what', 'errors', 'leaves in the activity log'],
      allEndpoints.map(({ method, path, access, effect, id, summary, errors, activity }) => [
        code(`${method} ${path}`),
        accessInWords({ access, effect }),
        code(id),
        summary,
        errors.map(code).join(', '),
        activity ?? '',
      ]),
    ),
  );
