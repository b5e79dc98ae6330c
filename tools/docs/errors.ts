import { errorCatalogue, requestAborted } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { code, page, table } from './markdown.ts';

/** docs/generated/errors.md: every refusal that a call can answer. */
export const errorsPage = (): string =>
  page(
    'Errors',
    '`packages/contract/src/errors.ts` and the `errors.ts` of each module',
    'An answer with a status from 400 up is `{ "errors": [{ "code", "message", "traceId" }] }`. Words in braces are filled in.',
    table(
      ['code', 'status', 'words', 'listed by'],
      [
        ...Object.entries(errorCatalogue).map(([name, { status, message }]) => [
          code(name),
          String(status),
          message,
          allEndpoints.flatMap(({ id, errors }) => ((errors as readonly string[]).includes(name) ? [code(id)] : [])).join(', '),
        ]),
        [code(requestAborted.code), String(requestAborted.status), requestAborted.message, 'answered by the client itself'],
      ],
    ),
  );
